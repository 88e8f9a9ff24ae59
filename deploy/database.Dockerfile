# The image of all database and etcd nodes: PostgreSQL 18 with Patroni, and etcd. The image postgres:18 has the
# repository of PostgreSQL's own Debian packages, from which a current Patroni comes.
FROM postgres:18

# python3-etcd is named because Patroni's package would install another client otherwise. tzdata-legacy has the old names
# of time zones, such as Europe/Kiev, which a shop may have stored with another PostgreSQL.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends patroni python3-etcd etcd-server etcd-client tzdata-legacy \
  && rm -rf /var/lib/apt/lists/* \
  # Patroni 3.0.2 and older lose acknowledged writes on etcd 3. This configuration was tried with 4.1 and newer.
  && dpkg --compare-versions "$(dpkg-query --show --showformat='${Version}' patroni)" ge 4.1

COPY deploy/patroni.yml deploy/make-database.sh deploy/etcd-users.sh /deploy/
RUN mkdir /var/lib/etcd-data && chown postgres:postgres /var/lib/etcd-data

USER postgres
ENTRYPOINT []
CMD ["patroni", "/deploy/patroni.yml"]
