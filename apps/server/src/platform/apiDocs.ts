import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/**
 * `GET /openapi.json` is the document, `GET /docs` renders it; neither loads anything from other hosts.
 * @param make makes the document, at its first request: it costs half of a start
 */
export async function serveApiDocs(server: FastifyInstance, make: () => object): Promise<void> {
  let made: object | undefined
  const document = () => (made ??= make()) as never
  let text: string | undefined
  server.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send((text ??= JSON.stringify(document()))),
  )
  await server.register(swagger, { mode: 'static', specification: { document: {} as never } })
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: true,
    uiConfig: { docExpansion: 'none', deepLinking: false },
    transformSpecification: document,
    transformSpecificationClone: false,
  })
}
