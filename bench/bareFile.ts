/** The yardstick of the site: one page as a precompressed file. Listens on BARE_PORT; serves BARE_FOLDER. */
import fastifyStatic from '@fastify/static'
import fastify from 'fastify'

const server = fastify()
server.get('/health', async () => ({ ok: true }))
await server.register(fastifyStatic, { root: process.env.BARE_FOLDER as string, preCompressed: true })
await server.listen({ port: Number(process.env.BARE_PORT), host: '127.0.0.1' })
