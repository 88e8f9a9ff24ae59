# Replaces postgres:18 if no registry can be reached: the same PostgreSQL from Debian's packages, with the folders that
# new volumes begin with.
FROM backstock-stand-in:sid
LABEL of=stand-in
RUN apt-get update \
  && apt-get install --yes --no-install-recommends postgresql-18 \
  && rm -rf /var/lib/apt/lists/* /var/lib/postgresql/18 \
  && install --directory --owner=postgres --group=postgres --mode=1777 /var/lib/postgresql
