/** Spans of requests, jobs and statements for an operator's collector. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anotherServer, killOthers } from '#testing/anotherServer.ts'
import { type Clinic, testApp } from '#testing/harness.ts'
import { say, simulator } from '#testing/simulator.ts'

interface Span {
  traceId: string
  name: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
}
interface TracedSpans {
  resourceSpans: { scopeSpans: { spans: Span[] }[] }[]
}

let clinic: Clinic
beforeAll(async () => {
  clinic = await testApp()
})
afterAll(async () => {
  killOthers()
  await clinic.close()
})

const attribute = ({ attributes }: Span, name: string) => {
  const { stringValue, intValue } = attributes.find(({ key }) => key === name)?.value ?? {}
  return stringValue ?? intValue
}

test('a request is followed by its id through its statements, and a job is a trace; no value is sent', async () => {
  const spans: Span[] = []
  const collector = await simulator({
    routes: {
      'POST /v1/traces': (_request, reply, body) => {
        const { resourceSpans } = JSON.parse(body) as TracedSpans
        spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
        say(reply, 200, {})
      },
    },
  })
  const { url } = await anotherServer(clinic, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: '1',
    TRUST_PROXY: '127.0.0.1',
  })
  const requestId = 'balancer-0001'
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': requestId },
    body: JSON.stringify({ login: 'a name of nobody', password: 'a wrong word' }),
  })
  expect(answer.status).toBe(401)
  const ofRequest = () => spans.find((span) => attribute(span, 'ordinator.request_id') === requestId)
  await expect.poll(ofRequest, { timeout: 30_000 }).toMatchObject({ name: 'POST /auth/login' })
  const request = ofRequest() as Span
  expect(attribute(request, 'http.response.status_code')).toBe(401)
  const statements = spans.filter(({ traceId, name }) => traceId === request.traceId && name === 'statement')
  expect(statements.map((span) => attribute(span, 'db.query.text'))).toContainEqual(
    expect.stringContaining('login_attempts'),
  )
  await clinic.context.jobs.send('webhooks.collect')
  await expect.poll(() => spans.map(({ name }) => name), { timeout: 30_000 }).toContain('job webhooks.collect')
  expect(JSON.stringify(spans)).not.toMatch(/a name of nobody|a wrong word/)
  await collector.close()
})
