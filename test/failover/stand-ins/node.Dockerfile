# Replaces node:24-slim if no registry can be reached. It has the Node and npm of the machine that builds it, because
# Debian's own Node cannot run TypeScript.
FROM backstock-stand-in:sid
LABEL of=stand-in
RUN apt-get update \
  && apt-get install --yes --no-install-recommends libstdc++6 libatomic1 ca-certificates \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 1000 --create-home node
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
  && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
COPY ca-certificates.crt /etc/ssl/certs/of-this-network.crt
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/of-this-network.crt
CMD ["node"]
