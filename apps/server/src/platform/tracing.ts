/**
 * Traces for an OpenTelemetry collector, when `OTEL_EXPORTER_OTLP_ENDPOINT` is set: a share of the requests and jobs with
 * their statements and calls to outside systems. Routes and texts of statements only: no values, no addresses of records.
 *
 * The spans are made here and not by the instrumentation packages: those need a loader at each start and make a span of
 * every hook.
 */
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bindRequestId } from './requestId.ts'
import { VERSION } from './version.ts'

export interface TracingOptions {
  /** The collector, without `/v1/traces`. */
  endpoint: string
  /** Share of the requests and jobs that are traced, 0 to 1. */
  share: number
  role: string
}

/** Characters of a statement in its span. */
const MOST_TEXT = 2_000
const SCOPE = 'ordinator'
/** Of the requests and jobs; 0: nothing is traced, and nothing here costs anything. */
let traced = 0

/** Begins to trace. @returns sends what is left, and ends */
export async function startTracing({ endpoint, share, role }: TracingOptions): Promise<() => Promise<void>> {
  // Loaded by those who use it: it costs each start 60 ms.
  const [sdk, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, resources] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
    ])
  const provider = new sdk.TracerProvider({
    // Chosen before a span is made: the others then cost nothing.
    sampler: new sdk.AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: MOST_TEXT },
    resource: resources.resourceFromAttributes({
      'service.name': 'ordinator',
      'service.version': VERSION,
      'ordinator.role': role,
    }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` }),
      }),
    ],
  })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  trace.setGlobalTracerProvider(provider)
  traced = share
  return async () => {
    traced = 0
    await provider.shutdown().catch(() => undefined)
    trace.disable()
    propagation.disable()
    context.disable()
  }
}

/** By chance, or because the balancer traces it (W3C Trace Context: the last flag is set). */
const isChosen = ({ headers }: FastifyRequest, isBehindProxy: boolean): boolean =>
  Math.random() < traced ||
  (traced > 0 && isBehindProxy && /^[\da-f-]{53}[\da-f][13579bdf]$/.test(String(headers.traceparent)))

const TRACED = Symbol('traced')
type Traced = FastifyRequest & { [TRACED]?: ReturnType<typeof trace.setSpan> }

/**
 * Gives the work of each request its id and its span. Called after the admission of requests, which lets a request in from
 * within another one's answer.
 * @param isBehindProxy only a proxy of ours may pass that a request belongs to a trace
 */
export function traceRequests(server: FastifyInstance, isBehindProxy: boolean): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!isChosen(request, isBehindProxy)) return bindRequestId(request.id, done)
    const parent = isBehindProxy ? propagation.extract(ROOT_CONTEXT, request.headers) : ROOT_CONTEXT
    const route = request.routeOptions.url ?? '(none)'
    const span = trace.getTracer(SCOPE).startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        // The request has waited in the queue since.
        startTime: Date.now() - reply.elapsedTime,
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'ordinator.request_id': request.id,
        },
      },
      parent,
    )
    ;(request as Traced)[TRACED] = trace.setSpan(parent, span)
    bind(request, done)
  })
  // The body has been read and the queue has been left since, in the context of others.
  server.addHook('preHandler', (request, _reply, done) => bind(request, done))
  server.addHook('onResponse', (request, reply, done) => {
    done()
    const traced = (request as Traced)[TRACED]
    const span = traced && trace.getSpan(traced)
    if (!span) return
    span.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
  })
}

function bind(request: FastifyRequest, done: () => void): void {
  const own = (request as Traced)[TRACED] ?? ROOT_CONTEXT
  bindRequestId(request.id, traced > 0 && context.active() !== own ? () => context.with(own, done) : done)
}

/** Runs a job as a trace of its own. */
export const inTrace = <T>(name: string, run: () => Promise<T>): Promise<T> =>
  Math.random() < traced ? context.with(ROOT_CONTEXT, () => recorded(name, SpanKind.CONSUMER, undefined, run)) : run()

/**
 * Runs a part of a traced request or job as a span; outside of one it only runs it.
 * @param about asked only when it is recorded
 */
export function inSpan<T>(name: string, about: () => Attributes, run: () => Promise<T>): Promise<T> {
  return traced > 0 && trace.getActiveSpan()?.isRecording() ? recorded(name, SpanKind.CLIENT, about(), run) : run()
}

async function recorded<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes | undefined,
  run: () => Promise<T>,
): Promise<T> {
  return trace.getTracer(SCOPE).startActiveSpan(name, { kind, ...(attributes && { attributes }) }, async (span) => {
    try {
      return await run()
    } catch (error) {
      // The message may quote a value.
      span.setAttribute('error.type', typeOf(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

const typeOf = (error: unknown): string =>
  error instanceof Error ? String((error as { code?: unknown }).code ?? error.name) : 'error'
