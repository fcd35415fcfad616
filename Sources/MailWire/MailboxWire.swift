package import JSON

/// One address of a mailbox (contract §3.1).
package struct MailboxAddressWire: Sendable, Hashable {
    package var id = ""
    package var mailboxId = ""
    package var mailDomainId = ""
    package var address = ""
    package var displayName = ""
    package var receiveEnabled = true
    package var sendEnabled = true
    package var isPrimary = true

    package init() {}

    /// Writes the object.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("mailboxId", mailboxId)
            writer.member("mailDomainId", mailDomainId)
            writer.member("address", address)
            writer.member("displayName", displayName)
            writer.member("receiveEnabled", receiveEnabled)
            writer.member("sendEnabled", sendEnabled)
            writer.member("isPrimary", isPrimary)
        }
    }
}

/// A mailbox (contract §3.1).
///
/// Reading drops the addresses, which only writing needs so far.
package struct MailboxWire: Sendable, Hashable {
    package var id = ""
    package var address = ""
    package var addresses: [MailboxAddressWire] = []
    package var displayName = ""
    package var isActive = true
    package var createdAt = ""
    package var updatedAt = ""
    /// `read`, `agent`, `manager`, or `nil` for a mailbox whose mail is not readable.
    package var accessLevel: String?

    package init() {}

    /// Reads a mailbox; unknown members are skipped.
    ///
    /// - Throws: `JSONError`.
    package init(from reader: inout JSONReader) throws(JSONError) {
        var wire = MailboxWire()
        try reader.object { reader, name throws(JSONError) in
            switch name {
            case "id": wire.id = try reader.string()
            case "address": wire.address = try reader.string()
            case "displayName": wire.displayName = try reader.optionalString() ?? ""
            case "isActive": wire.isActive = try reader.bool()
            case "createdAt": wire.createdAt = try reader.string()
            case "updatedAt": wire.updatedAt = try reader.string()
            case "accessLevel": wire.accessLevel = try reader.optionalString()
            default: try reader.skip()
            }
        }
        if wire.id.isEmpty { throw .missing("id") }
        self = wire
    }

    /// Writes the object in the server's order of keys.
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("id", id)
            writer.member("address", address)
            writer.name("addresses")
            writer.array { writer in for address in addresses { address.write(to: &writer) } }
            writer.member("displayName", displayName)
            writer.member("isActive", isActive)
            writer.member("createdAt", createdAt)
            writer.member("updatedAt", updatedAt)
            writer.member("accessLevel", accessLevel)
        }
    }
}
