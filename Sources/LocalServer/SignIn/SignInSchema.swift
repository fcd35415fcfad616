extension Schema {
    /// The tables of signing in; instants are milliseconds since 1970, lists are words parted by spaces.
    static let signIn = """
        CREATE TABLE IF NOT EXISTS logins(
            email TEXT PRIMARY KEY, userId TEXT NOT NULL REFERENCES users(id), name TEXT NOT NULL,
            password TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS sessions(
            token TEXT PRIMARY KEY, userId TEXT NOT NULL REFERENCES users(id), expiresAt INTEGER NOT NULL)
            WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS clients(
            id TEXT PRIMARY KEY, name TEXT, uri TEXT, type TEXT NOT NULL, method TEXT NOT NULL, secret TEXT,
            grants TEXT NOT NULL, redirects TEXT NOT NULL, resources TEXT, issuedAt INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS consents(
            clientId TEXT NOT NULL, userId TEXT NOT NULL, scopes TEXT NOT NULL, resources TEXT NOT NULL,
            PRIMARY KEY(clientId, userId)) WITHOUT ROWID;
        -- status: pending, approved or denied; userId is who claimed it, session the one that approved it.
        CREATE TABLE IF NOT EXISTS deviceCodes(
            code TEXT PRIMARY KEY, userCode TEXT NOT NULL UNIQUE, clientId TEXT NOT NULL, scopes TEXT NOT NULL,
            resources TEXT NOT NULL, expiresAt INTEGER NOT NULL, polledAt INTEGER,
            status TEXT NOT NULL DEFAULT 'pending', userId TEXT, session TEXT) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS loginCodes(
            code TEXT PRIMARY KEY, clientId TEXT NOT NULL, userId TEXT NOT NULL, session TEXT NOT NULL,
            scopes TEXT NOT NULL, resources TEXT NOT NULL, redirect TEXT NOT NULL, challenge TEXT NOT NULL,
            expiresAt INTEGER NOT NULL, isUsed INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
        -- nextAccess and nextRefresh are the pair that a rotated token was exchanged for.
        CREATE TABLE IF NOT EXISTS refreshTokens(
            token TEXT PRIMARY KEY, clientId TEXT NOT NULL, userId TEXT NOT NULL, session TEXT NOT NULL,
            scopes TEXT NOT NULL, resources TEXT NOT NULL, code TEXT, expiresAt INTEGER NOT NULL,
            isRevoked INTEGER NOT NULL DEFAULT 0, rotatedAt INTEGER, nextAccess TEXT, nextRefresh TEXT)
            WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS accessTokens(
            token TEXT PRIMARY KEY, clientId TEXT NOT NULL, userId TEXT NOT NULL, session TEXT NOT NULL,
            scopes TEXT NOT NULL, resources TEXT NOT NULL, code TEXT, expiresAt INTEGER NOT NULL,
            refreshToken TEXT) WITHOUT ROWID;
        """
}
