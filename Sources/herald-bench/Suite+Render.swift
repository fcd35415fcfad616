extension Suite {
    /// Rendering the mail of both payload files, against the programs that other mail programs start for it.
    func render(_ report: inout Report) {
        guard let payloads = RenderBench.payloads else {
            return Report.note("Rendering is not measured: set HERALD_SHARED to the folder with payloads.")
        }
        for file in RenderBench.files {
            do {
                let found = try RenderBench(directory: directory + "/render").run(file, in: payloads)
                let what = "rendering \(found.count) mails of \(file)"
                for peer in found.peers {
                    report.row(what, found.total, peer: peer.total, named: peer.name + ":", ratioMax: 1)
                    let work = max(0, peer.total - peer.starts)
                    // The peers neither find hidden text nor draw tables, and lynx keeps to one column.
                    report.row("\(what), starts left out", found.total, peer: work, named: peer.name + ":", ratioMax: 2)
                }
                report.row("slowest mail of \(file)", found.slowest, unit: "ms", limit: 50)
            } catch {
                report.failure("rendering \(file)", Suite.reason(error))
            }
        }
    }
}
