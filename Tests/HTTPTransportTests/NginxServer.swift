import Glibc
import MailTestSupport
import Platform

/// An nginx in the foreground on a free loopback port, with a certificate made for the occasion.
struct NginxServer {
    static let path = "/usr/sbin/nginx"
    static var isInstalled: Bool { access(path, X_OK) == 0 && access("/usr/bin/openssl", X_OK) == 0 }

    let port: Int
    var certificateFile: String { "\(scratch.path)/cert.pem" }
    private let scratch: Scratch
    private let process: pid_t

    /// Starts it; `/live` is what the server on the port `upstream` answers, piece by piece.
    init(upstream: Int = 9) throws {
        scratch = try Scratch()
        let directory = scratch.path
        let (listener, port) = try Loopback.listen()
        close(listener)
        self.port = port
        let certificate = try Self.spawn([
            "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-keyout", "\(directory)/key.pem", "-out", "\(directory)/cert.pem", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost",
        ])
        guard Self.wait(certificate) == 0 else { throw SystemError(call: "openssl", code: 0) }
        let configuration = Self.configuration(port: port, upstream: upstream, directory: directory)
        try scratch.write("nginx.conf", configuration)
        process = try Self.spawn(
            [Self.path, "-p", directory, "-c", "\(directory)/nginx.conf", "-e", "\(directory)/error.log"])
        guard comesTrue({ Loopback.isOpen(port) }) else { throw SystemError(call: "nginx", code: 0) }
    }

    func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    func stop() {
        kill(process, SIGKILL)
        _ = Self.wait(process)
    }

    private static func configuration(port: Int, upstream: Int, directory: String) -> String {
        """
        daemon off;
        master_process off;
        pid \(directory)/nginx.pid;
        error_log \(directory)/error.log;
        events { worker_connections 64; }
        http {
            access_log off;
            client_body_temp_path \(directory)/body;
            proxy_temp_path \(directory)/proxy;
            fastcgi_temp_path \(directory)/fastcgi;
            uwsgi_temp_path \(directory)/uwsgi;
            scgi_temp_path \(directory)/scgi;
            default_type text/plain;
            server {
                listen 127.0.0.1:\(port) ssl http2;
                ssl_certificate \(directory)/cert.pem;
                ssl_certificate_key \(directory)/key.pem;
                location /live {
                    proxy_pass http://127.0.0.1:\(upstream);
                    proxy_http_version 1.1;
                    proxy_buffering off;
                    proxy_read_timeout 600s;
                }
                location /protocol { return 200 "$server_protocol"; }
                location /connection { return 200 "$connection"; }
                location /echo { return 200 "$request_method $content_length $http_x_a"; }
                location /zip {
                    gzip on;
                    gzip_min_length 1;
                    gzip_types *;
                    return 200 "\(String(repeating: "a", count: 2000))";
                }
            }
        }
        """
    }

    private static func spawn(_ arguments: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [0, 1, 2] as [Int32] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        let argv = arguments.map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        guard posix_spawn(&process, arguments[0], &actions, nil, argv, [nil]) == 0 else {
            throw SystemError(call: "posix_spawn", code: errno)
        }
        return process
    }

    private static func wait(_ process: pid_t) -> Int32 {
        var status: Int32 = -1
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
