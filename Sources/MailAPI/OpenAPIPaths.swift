internal import JSON

/// The routes a server describes (contract §5): their presence, not a version number, tells what it can do.
enum OpenAPIPaths {
    /// Reads the features off an OpenAPI description.
    static func features(_ reader: inout JSONReader) throws(JSONError) -> ServerFeatures {
        var paths: Set<String> = []
        try reader.object { reader, name throws(JSONError) in
            guard name == "paths" else { return try reader.skip() }
            try reader.object { reader, path throws(JSONError) in
                paths.insert(path)
                try reader.skip()
            }
        }
        return ServerFeatures(
            hasChanges: paths.contains("/api/v1/changes"), hasDraftChanges: paths.contains("/api/v1/drafts/changes"),
            hasEvents: paths.contains("/api/v1/events"))
    }
}
