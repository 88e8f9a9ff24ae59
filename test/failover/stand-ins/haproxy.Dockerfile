# Replaces haproxy:3.2 if no registry can be reached.
FROM backstock-stand-in:sid
LABEL of=stand-in
RUN apt-get update && apt-get install --yes --no-install-recommends haproxy && rm -rf /var/lib/apt/lists/*
USER haproxy
CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
