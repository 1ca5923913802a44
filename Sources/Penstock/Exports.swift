@_exported public import PenstockCore
