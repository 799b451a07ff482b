# The service as "npm start" runs it, with its data in the volume /data: docs/operating.md, "Run it in a container".
FROM node:24-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . ./
# The data of this copy and its secret are in the volume.
RUN npm run build && ln -s /data .wrangler && ln -s /data/.dev.vars .dev.vars

FROM node:24-bookworm-slim
# With these the runtime checks whom it talks to: the messenger, and webhooks.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /app /app
RUN mkdir -m 700 /data && chown node:node /data
WORKDIR /app
USER node
# Nobody reaches the loopback of a container. Which ports are open to whom is said where it is run.
ENV MAUVE_HOST=0.0.0.0
VOLUME /data
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s CMD node -e "fetch('http://127.0.0.1:8787/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
# Node itself gets SIGTERM: it stores the last events and ends.
CMD ["node", "src/commands/run.ts", "start"]
