# PostgreSQL 18 with Patroni, and etcd: the image of all database and etcd nodes. The image of postgres:18 has the repository of
# PostgreSQL's own Debian packages, and with it a current Patroni.
FROM postgres:18

# python3-etcd: Patroni's package would take another client in its place.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends patroni python3-etcd etcd-server etcd-client \
  && rm -rf /var/lib/apt/lists/* \
  # Patroni 3.0.2 and older lose acknowledged writes on etcd 3, and 4.1 brought what this configuration was tried with.
  && dpkg --compare-versions "$(dpkg-query --show --showformat='${Version}' patroni)" ge 4.1

COPY deploy/patroni.yml deploy/make-database.sh deploy/etcd-users.sh /deploy/
RUN mkdir /var/lib/etcd-data && chown postgres:postgres /var/lib/etcd-data

USER postgres
ENTRYPOINT []
CMD ["patroni", "/deploy/patroni.yml"]
