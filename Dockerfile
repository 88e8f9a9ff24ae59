# Backstock for a PostgreSQL of your own. The embedded PostgreSQL is left out, and so are packages that only build and
# tests need.

FROM node:24-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/server/package.json packages/server/
COPY packages/web/package.json packages/web/

FROM manifests AS screens
RUN npm ci --workspace packages/contract --workspace packages/web
COPY packages/contract packages/contract
COPY packages/web packages/web
COPY docs/manual docs/manual
COPY tsconfig.base.json ./
RUN npx vite build packages/web

FROM manifests AS server
RUN npm ci --omit=dev --workspace packages/contract --workspace packages/server

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN mkdir /data /backups && chown node:node /data /backups
WORKDIR /app
COPY package.json ./
COPY --from=server /app/node_modules node_modules
COPY packages/contract packages/contract
COPY packages/server packages/server
COPY --from=screens /app/packages/web/dist packages/web/dist
COPY deploy/nightly-backup.sh deploy/
USER node
EXPOSE 3000
# Checks that the process lives. A load balancer asks /readyz whether it can serve, because that also depends on the
# database. The server listens once the database is migrated, which may take a while.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60m \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "packages/server/src/main.ts"]
