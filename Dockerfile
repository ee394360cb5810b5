# The server as an image, for every architecture that the base image and sharp have. It runs without root, with a read-only root
# file system; everything that it writes is in the volume /data.
ARG NODE=26

FROM node:${NODE}-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
COPY packages/client/package.json packages/client/
COPY packages/cli/package.json packages/cli/
RUN npm ci --omit=dev
COPY . .
RUN node scripts/stage.mjs /app \
  && npm install --prefix /app --omit=dev --ignore-scripts --no-package-lock --no-audit --no-fund \
  && mkdir -p /empty/data/backups

FROM node:${NODE}-slim
COPY --from=build /app /app
# New volumes take over the owner of these folders.
COPY --from=build --chown=node:node --chmod=700 /empty/data /data
ENV NODE_ENV=production MODSHELF_HOST=0.0.0.0 MODSHELF_DATA_DIR=/data
USER node
WORKDIR /data
VOLUME /data
EXPOSE 3000
# The process, not the database: a failure of the database must not restart every node. Proxies ask /readyz.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MODSHELF_PORT || 3000}/healthz`).then((it) => process.exit(it.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/scripts/modshelf.mjs"]
CMD ["serve"]
