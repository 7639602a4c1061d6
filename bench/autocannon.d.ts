/** The part of autocannon in use; it has no types. */
declare module 'autocannon' {
  interface Options {
    url: string
    connections: number
    /** Seconds. */
    duration: number
    /** Seconds. */
    timeout?: number
    headers?: Record<string, string>
    requests?: { method: string; setupRequest(request: object): object }[]
    /** Requests per second of all connections. */
    overallRate?: number
  }
  interface Instance {
    on(event: 'response', run: (client: unknown, status: number, bytes: number, milliseconds: number) => void): void
    on(event: 'done', run: (result: Result) => void): void
    stop(): void
  }
  interface Result {
    requests: { average: number; total: number }
    non2xx: number
  }
  export default function autocannon(options: Options, done?: (error: Error | null, result: Result) => void): Instance
}
