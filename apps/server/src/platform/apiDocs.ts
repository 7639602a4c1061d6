import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** `GET /openapi.json` is the document, `GET /docs` renders it; neither loads anything from other hosts. */
export async function serveApiDocs(server: FastifyInstance, document: object): Promise<void> {
  const text = JSON.stringify(document)
  server.get('/openapi.json', async (_request, reply) => reply.type('application/json; charset=utf-8').send(text))
  await server.register(swagger, { mode: 'static', specification: { document: document as never } })
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'none', deepLinking: false },
  })
}
