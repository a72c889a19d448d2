# The sandbox in a container:
#
#   docker build --tag svc-sandbox .
#   docker run --detach --name sandbox --publish 127.0.0.1:4400:4400 svc-sandbox
#   docker exec sandbox cat /data/key
#
# Other containers reach it by its name: append `--allow-host sandbox` to `docker run`. SVC_SANDBOX_KEY sets its key.
# examples/compose.yaml has both.
# The package has no native code, so it is built once for all platforms.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && npm pack --pack-destination /tmp

FROM node:24-slim
COPY --from=build /tmp/svc-cli-*.tgz /tmp/
RUN npm install --global --omit=optional /tmp/svc-cli-*.tgz && rm /tmp/svc-cli-*.tgz \
  && install --directory --owner=node --mode=0700 /data
USER node
VOLUME /data
EXPOSE 4400
HEALTHCHECK --interval=5s --start-period=5s CMD ["node", "-e", "fetch('http://localhost:4400/v2/topics').then(({ status }) => process.exit(status === 401 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["svc", "sandbox", "start", "--host", "0.0.0.0", "--allow-host", "localhost", "--data", "/data", "--no-profile"]
