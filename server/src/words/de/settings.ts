// German words about the settings.
import type { Words } from "#words/en/catalogue.js";

export const settings: Words["settings"] = {
  groups: {
    http: "Adressen",
    data: "Datenordner",
    database: "Datenbank",
    storage: "Dateispeicher",
    backup: "Sicherungen",
    look: "Aussehen und Worte",
    site: "Seite",
    staff: "Moderation und Verwaltung",
    admin: "Erster Administrator",
    mail: "E-Mail",
    oauth: "Anmelden mit anderen Diensten",
    limits: "Grenzen",
    scanner: "Virenscanner",
    log: "Protokoll",
    metrics: "Messwerte",
    file: "Konfigurationsdatei",
  },
  descriptions: {
    MODSHELF_SITE_NAME: "Wie die Seite heißt: in ihrem Kopf, in Titeln, Feeds und Karten.",
    MODSHELF_SITE_DESCRIPTION:
      "Ein Satz über die Seite, für ihre Startseite und für Suchmaschinen. Leer: ein allgemeiner.",
    MODSHELF_LANGUAGE: "Sprache für Besucher, deren Browser eine Sprache bevorzugt, die es hier nicht gibt.",
    MODSHELF_FOOTER_LINKS:
      "Links am Fuß jeder Seite, höchstens 8, jeder als `Name <https://…>`, durch Kommas getrennt; für ein Impressum, ein Forum, einen Chat.",
    MODSHELF_THEME: "Farben für Besucher, die nichts gewählt haben: `auto` (wie ihr System), `light` oder `dark`.",
    MODSHELF_ACCENT:
      "Farbe von Knöpfen und Marken als `#rrggbb`; sie muss dunkel genug sein, um auf einer hellen Seite lesbar zu sein (4.5:1). Für das dunkle Schema wird eine hellere daraus gemacht. Leer: Blaugrün.",
    MODSHELF_HOST:
      "Adresse, auf der gelauscht wird. Die Vorgabe ist nur von diesem Rechner zu erreichen; `0.0.0.0` oder `::` öffnet sie für das Netz.",
    MODSHELF_PORT:
      "Port, auf dem gelauscht wird. `0`: irgendein freier Port, den das Protokoll nennt; dann muss `MODSHELF_URL` gesetzt sein.",
    MODSHELF_URL:
      "Adresse, unter der Besucher den Dienst erreichen. Jeder Link, jedes Cookie und jede Prüfung der Herkunft benutzt sie; sie wird nie einer Anfrage entnommen.",
    MODSHELF_CDN_URL:
      "Adresse, unter der hochgeladene Dateien liegen. Ein eigener Host hält sie von den Sitzungen der Besucher fern; derselbe Prozess antwortet auf beiden.",
    MODSHELF_MODRINTH_API:
      "Ob Programme, die für Modrinths API v2 geschrieben wurden, diesen Server unter `/v2` nutzen können (docs/modrinth.md).",
    MODSHELF_MODRINTH_URL:
      "URL, unter der nur diese Schnittstelle erreichbar ist, zusätzlich zu `/v2` der Website: für Programme, die einen eigenen Host erwarten. Sie führt zu diesem Server und muss sich von MODSHELF_URL und MODSHELF_CDN_URL unterscheiden.",
    MODSHELF_TRUSTED_PROXIES:
      "Proxys, deren Angaben zur Herkunft geglaubt wird: IP-Adressen, Bereiche, oder `loopback`, `linklocal`, `uniquelocal`, durch Kommas getrennt. Leer: Es zählt die Adresse der Verbindung.",
    MODSHELF_CONNECTIONS_PER_ADDRESS:
      "So viele Verbindungen darf eine Adresse höchstens zugleich offen haben; bei IPv6 zählt ein Netz von 64 Bit als eine Adresse. Vertraute Proxys sind nicht begrenzt.",
    MODSHELF_WORKERS:
      "Anzahl der Arbeitsprozesse, die sich Port und Datenbank teilen. `auto`: einer je verfügbarem Kern, höchstens einer je GiB Arbeitsspeicher und höchstens 16. 1: Der Server läuft in einem einzigen Prozess.",
    MODSHELF_MEMORY:
      "Arbeitsspeicher, mit dem ein Prozess des Servers unter Last auskommen soll. Seine Zwischenspeicher teilen sich, was Programm und Verzeichnisse übrig lassen. Bei mehreren Arbeitsprozessen darf jeder so viel brauchen.",
    MODSHELF_COUNTRY_HEADER:
      "Kopfzeile, in der ein vertrauter Proxy das Land des Besuchers mit zwei Buchstaben nennt; Autoren sehen ihre Aufrufe und Downloads dann nach Ländern. Der Proxy muss sie bei jeder Anfrage setzen oder entfernen. Nicht gesetzt: Länder werden nicht notiert.",
    MODSHELF_CORS_ORIGINS:
      "Andere Websites, deren Skripte mit der Sitzung eines Besuchers handeln dürfen, durch Kommas getrennt. Öffentliches zu lesen braucht hier keinen Eintrag.",
    MODSHELF_SENDFILE:
      "Lässt den Proxy davor gespeicherte Dateien senden: `x-accel-redirect` für nginx (eine interne location `/modshelf-files/` über `<MODSHELF_DATA_DIR>/files/`), `x-sendfile` für Apache. Um ein Vielfaches schneller, als sie selbst zu senden.",
    MODSHELF_S3_REDIRECTS:
      "`on`: Downloads werden mit einer Weiterleitung zum S3-Speicher beantwortet, die 5 Minuten gilt. Besucher müssen ihn erreichen können.",
    MODSHELF_SHUTDOWN_SECONDS:
      "Wie viele Sekunden ein Stopp nach seinem Signal dauern darf. Die letzten fünf davon, bei kürzerer Zeit das letzte Sechstel, bleiben zum Schließen von allem; die Zeit davor haben laufende Anfragen.",
    MODSHELF_DATA_DIR: "Ordner für alles, was der Dienst auf diesem Rechner aufhebt. Er wird angelegt, wenn er fehlt.",
    MODSHELF_SECRET_KEY:
      "Schlüssel, der Geheimnisse in der Datenbank versiegelt (Authenticator-Apps, Webhooks): 32 zufällige Bytes als 64 hexadezimale Ziffern oder in Base64, zum Beispiel aus `openssl rand -base64 32`. Mehrere durch Kommas getrennt: Der erste versiegelt, alle öffnen. Server mit gemeinsamer Datenbank brauchen denselben. Nicht gesetzt: Beim ersten Start entsteht ein Schlüssel in `<MODSHELF_DATA_DIR>/secret.key`.",
    MODSHELF_DATABASE_URL: "Die Datenbank: `sqlite:<Pfad>`, oder `postgres://user:password@host:port/database`.",
    MODSHELF_DATABASE_POOL_SIZE:
      "Wie viele Verbindungen ein Server höchstens zu PostgreSQL öffnet. Seine Arbeitsprozesse teilen sie unter sich auf; jeder hat mindestens zwei. SQLite braucht das nicht.",
    MODSHELF_STORAGE_URL:
      "Wo hochgeladene Dateien liegen: `file:<Pfad>`, oder `s3://bucket/prefix?endpoint=https://…&region=…`. Das Präfix kann fehlen; ohne Angaben ist es Amazons S3 in us-east-1.",
    MODSHELF_BACKUP_DIR:
      "Ordner für Sicherungen, die Administratoren auf der Website starten oder planen. Ein Ordner auf einer anderen Festplatte übersteht auch den Verlust dieser. Mehrere Server müssen ihn sich teilen.",
    MODSHELF_BACKUP_SCHEDULE:
      "`daily` (täglich) oder `weekly` (sonntags): Der Server macht von selbst Sicherungen. `off`: Er macht keine.",
    MODSHELF_BACKUP_HOUR: "Stunde, zu der geplante Sicherungen beginnen, in UTC.",
    MODSHELF_BACKUP_KEEP:
      "So viele Sicherungen bleiben in `MODSHELF_BACKUP_DIR`. Nach jeder Sicherung von der Website werden ältere gelöscht.",
    MODSHELF_S3_ACCESS_KEY_ID: "Zugangsschlüssel für den S3-Speicher.",
    MODSHELF_S3_SECRET_ACCESS_KEY: "Das Geheimnis, das zum Zugangsschlüssel gehört.",
    MODSHELF_LOG_LEVEL:
      "Ab welcher Wichtigkeit Meldungen protokolliert werden: `trace`, `debug`, `info`, `warn`, `error`, `fatal` oder `silent`.",
    MODSHELF_METRICS_PORT:
      "Eigener Port für `/metrics`, offen für alle, die ihn erreichen. `0`: irgendein freier Port, den das Protokoll nennt. Nicht gesetzt: kein solcher Port.",
    MODSHELF_METRICS_HOST: "Adresse, auf der der Port für Messwerte lauscht.",
    MODSHELF_METRICS_TOKEN:
      "Öffnet `/metrics` auf dem Hauptport für alle, die es als Bearer-Token senden; mindestens 16 Zeichen.",
    MODSHELF_CONFIG_FILE:
      "Die Konfigurationsdatei, wenn es nicht `modshelf.env` im Arbeitsordner ist. Nur in der Umgebung.",
    MODSHELF_REGISTRATION:
      "`open`: Jeder kann sich registrieren. `closed`: nur, wer einen Einladungscode hat, den die Verwaltung unter `/admin/invites` anlegt; bestehende Konten gehen weiter.",
    MODSHELF_REVIEW:
      "`on`: Ein Moderator gibt jedes Projekt frei, bevor es öffentlich ist. `first`: nur die von Leuten, von denen noch nichts freigegeben wurde. `off`: Einreichen veröffentlicht ein Projekt.",
    MODSHELF_REPORT_REASONS_OFF: "Gründe, die Meldungen hier nicht haben können, durch Kommas getrennt.",
    MODSHELF_GUEST_REPORTS:
      "`on`: Wer kein Konto hat, kann auf der Website etwas melden, sobald die E-Mail-Adresse bestätigt ist, und erfährt das Ergebnis per E-Mail. Braucht einen Mailserver.",
    MODSHELF_REMOTE_PICTURES:
      "Bilder von anderen Websites in Beschreibungen und Änderungen. `on`: alle werden gezeigt. `off`: sie sind Links. Oder eine Liste von Hosts, deren Bilder gezeigt werden, durch Kommas getrennt; `*.example.org` steht für jeden Host unterhalb dieses Namens. Besucher haben mit diesen Hosts nie Kontakt: Der Server holt jedes Bild, kodiert es neu und bewahrt es auf. Nur ein Host, der mit seiner IP-Adresse in der Liste steht, darf in einem privaten Netz liegen.",
    MODSHELF_LAUNCHER_LINKS:
      "Links, die eine Datei in einem installierten Launcher öffnen, durch Kommas getrennt; sie stehen neben den Downloads von Projekten und Versionen. Jeder besteht aus einem Namen, wahlweise Loadern, Projekttypen und Spielversionen (oder deren Anfängen) in eckigen Klammern, und einer Vorlage: `Comet Launcher [quilt 0.5] <comet://install?file={url}>`. Wörter einer Vorlage: {project} {projectId} {name} {version} {versionId} {file} {url} {sha1} {sha512} {gameVersion} {loader} {host}; Werte werden prozentkodiert. Schemata, die Code ausführen oder Teile des Systems öffnen, werden abgelehnt; http ebenso.",
    MODSHELF_LAUNCHER_COMMAND:
      "Der Befehl, der neben Downloads steht, für Programme im Terminal, mit denselben Wörtern wie `MODSHELF_LAUNCHER_LINKS` außer `{name}` und `{file}`. Leer: Es wird nur curl gezeigt.",
    MODSHELF_RATE_LIMITS:
      "`off` hebt alle Grenzen dafür auf, wie oft jemand anfragen darf. Nur für Tests und geschlossene Netze.",
    MODSHELF_MAVEN_GROUP:
      "Gruppe aller Artefakte im Maven-Verzeichnis unter `/maven`. Sie zu ändern zerbricht bestehende Builds.",
    MODSHELF_WEBHOOK_ALLOW_PRIVATE:
      "`on`: Webhooks und importierte Taxonomien dürfen zu privaten Adressen führen, zu jedem Port und zu http. Nur für Tests und geschlossene Netze: Wer ein Projekt bearbeitet, könnte sonst in deines greifen.",
    MODSHELF_TRUSTED_ISSUERS:
      "Build-Dienste, auf deren Wort hin Autoren ohne Token veröffentlichen dürfen: `github:` oder `gitlab:`, je nachdem, welche Wörter er benutzt, und die Adresse, mit der er sich in seinen OpenID-Connect-Token nennt; durch Kommas getrennt. `none`: keine.",
    MODSHELF_SECURITY_CONTACT:
      "Wo Sicherheitsprobleme dieser Seite gemeldet werden können: E-Mail- oder https-Adressen, durch Kommas getrennt. Alle sehen es in `/.well-known/security.txt`. Leer: Es gibt diese Datei nicht.",
    MODSHELF_UPDATE_URL:
      'Adresse, die einmal am Tag nach der neuesten Version gefragt wird; Administratoren sehen sie dann unter `/admin`. Sie antwortet mit JSON wie `{"version": "1.2.3", "url": "https://…"}`. Die Anfrage enthält nur die Version dieses Servers, im User-Agent. Nicht gesetzt: Es wird nichts gefragt.',
    MODSHELF_TAXONOMY_FILE:
      "Datei mit den Projekttypen, Loadern, Kategorien und Spielversionen, anstelle der mitgelieferten.",
    MODSHELF_ADMIN_USER: "Benutzername des ersten Administrators; angelegt beim Start, wenn es noch keinen gibt.",
    MODSHELF_ADMIN_EMAIL: "E-Mail-Adresse des ersten Administrators.",
    MODSHELF_ADMIN_PASSWORD: "Passwort des ersten Administrators, 8 bis 128 Zeichen. Gibt es das Konto, kann es weg.",
    MODSHELF_SMTP_URL:
      "Mailserver: `smtp://user:password@host:587`, oder `smtps://…` für TLS von Anfang an. Nicht gesetzt: E-Mails gehen ins Protokoll.",
    MODSHELF_MAIL_FROM: "Absender aller E-Mails.",
    MODSHELF_OAUTH_GITHUB_CLIENT_ID:
      "Client-ID der OAuth-Anwendung bei GitHub. Zusammen mit ihrem Client-Secret erscheint „Mit GitHub anmelden“.",
    MODSHELF_OAUTH_GITLAB_CLIENT_ID:
      "Client-ID der OAuth-Anwendung bei GitLab. Zusammen mit ihrem Client-Secret erscheint „Mit GitLab anmelden“.",
    MODSHELF_OAUTH_DISCORD_CLIENT_ID:
      "Client-ID der OAuth-Anwendung bei Discord. Zusammen mit ihrem Client-Secret erscheint „Mit Discord anmelden“.",
    MODSHELF_OAUTH_GOOGLE_CLIENT_ID:
      "Client-ID der OAuth-Anwendung bei Google. Zusammen mit ihrem Client-Secret erscheint „Mit Google anmelden“.",
    MODSHELF_OAUTH_GITHUB_CLIENT_SECRET: "Client-Secret der OAuth-Anwendung bei GitHub.",
    MODSHELF_OAUTH_GITLAB_CLIENT_SECRET: "Client-Secret der OAuth-Anwendung bei GitLab.",
    MODSHELF_OAUTH_DISCORD_CLIENT_SECRET: "Client-Secret der OAuth-Anwendung bei Discord.",
    MODSHELF_OAUTH_GOOGLE_CLIENT_SECRET: "Client-Secret der OAuth-Anwendung bei Google.",
    MODSHELF_OAUTH_GITLAB_URL: "Adresse der GitLab-Instanz.",
    MODSHELF_OAUTH_OFF:
      "Anbieter, die eingerichtet, aber ausgeschaltet sind, mit Kommas getrennt: `github`, `gitlab`, `discord`, `google`.",
    MODSHELF_ACCOUNT_QUOTA:
      "Wie viel ein Konto speichern darf: alle Dateien der Versionen, die es veröffentlicht hat, und die Bilder seiner Projekte, Organisationen, Sammlungen und Meldungen und seines Profils. `off`: keine Grenze.",
    MODSHELF_MIN_FREE_DISK:
      "Solange auf einer Festplatte, auf die der Dienst schreibt, weniger als das frei ist, werden Uploads abgelehnt (507); alles andere geht weiter. `off`: Erst eine volle Festplatte lehnt sie ab.",
    MODSHELF_MAX_PRIMARY_FILE_SIZE: "Größte Hauptdatei einer Version.",
    MODSHELF_MAX_ADDITIONAL_FILE_SIZE: "Größte zusätzliche Datei einer Version.",
    MODSHELF_MAX_ADDITIONAL_FILES: "Wie viele zusätzliche Dateien eine Version höchstens hat.",
    MODSHELF_MAX_ICON_SIZE: "Größtes Icon oder Profilbild, das angenommen wird.",
    MODSHELF_MAX_GALLERY_IMAGE_SIZE: "Größtes Bild für eine Galerie, das angenommen wird.",
    MODSHELF_MAX_GALLERY_IMAGES: "Wie viele Bilder die Galerie eines Projekts höchstens hat.",
    MODSHELF_REMOTE_PICTURE_CACHE_SIZE:
      "Wie viel Platz Bilder von anderen Websites im Cache-Ordner eines Servers höchstens belegen. Was am längsten nicht gezeigt wurde, wird zuerst gelöscht.",
    MODSHELF_MAX_DEPENDENCIES: "Wie viele Abhängigkeiten eine Version höchstens hat.",
    MODSHELF_PACK_HOSTS:
      "Hosts, von denen die Dateien eines Modpacks (`.mrpack` oder packwiz) geladen werden dürfen, durch Kommas getrennt. Diese Website ist immer erlaubt. Modpacks, die andere Hosts nennen, werden abgelehnt.",
    MODSHELF_SCANNER:
      "Adresse eines Virenscanners (`clamd` von ClamAV), als `host:port` oder als Pfad eines Unix-Sockets. Neue Dateien werden geprüft, bevor andere sie herunterladen können. Nicht gesetzt: Dateien werden nicht geprüft.",
    MODSHELF_SCANNER_UNAVAILABLE:
      "Was mit einer neuen Version geschieht, wenn der Virenscanner nicht erreichbar ist, nicht rechtzeitig antwortet oder eine Datei für ihn zu groß ist. `hold`: Sie bleibt verborgen, bis sie geprüft ist oder die Moderation sie freigibt. `publish`: Sie erscheint sofort und wird später geprüft.",
    MODSHELF_SCANNER_MAX_SIZE:
      "Größte Datei, die an den Virenscanner geschickt wird. `StreamMaxLength` von clamd muss mindestens so groß sein.",
    MODSHELF_MAX_PROJECTS_PER_USER:
      "Wie viele Projekte einer Person höchstens gehören. Die von Organisationen zählen nicht.",
    MODSHELF_RETIRED_NAME_DAYS:
      "Wie lange niemand die Adresse eines gelöschten Projekts oder einer gelöschten Organisation oder die Nummer einer gelöschten Version bekommt, damit nichts anderes dafür gehalten wird. `0`: Sie ist gleich frei.",
    MODSHELF_STAFF_SECOND_FACTOR:
      "Ob Moderatoren und Administratoren ihre Identität mit einem zweiten Faktor (einer Authenticator-App oder einem Passkey) bestätigen müssen, bevor sie ihre Rechte nutzen können. `auto`: alle, die einen haben. `always`: alle; ohne ihn haben sie keine Rechte, bis sie einen einrichten. `off`: Das Passwort genügt.",
    MODSHELF_STAFF_HOURS:
      "Wie viele Stunden die Rechte von Moderatoren und Administratoren höchstens gelten, nachdem sie sich angemeldet oder ihre Identität bestätigt haben. Sie enden früher, wenn die Sitzung 2 Stunden lang nicht benutzt wird.",
    MODSHELF_STAFF_ADMIN_MINUTES:
      "Wie viele Minuten die Rechte von Administratoren gelten, nachdem sie sich angemeldet oder ihre Identität bestätigt haben; danach haben sie die von Moderatoren.",
  },
};
