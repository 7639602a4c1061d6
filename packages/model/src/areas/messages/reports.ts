/** Extracts message ids from a provider's delivery report. Pure; an unknown format yields none. */

/** Maximum ids per report: SMS.RU sends batches of a hundred. */
const MOST = 100

const formOf = (body: string): URLSearchParams => new URLSearchParams(body)

export const smsReports = {
  /** A form with `id` and `phone`. */
  smsc: (body: string): string[] => {
    const id = formOf(body).get('id')
    return id && /^\d{1,20}$/.test(id) ? [id] : []
  },
  /** A form of `data[0]`, `data[1]` …; each has the lines `sms_status`, id, status. */
  smsru: (body: string): string[] =>
    [...formOf(body)]
      .filter(([name]) => name.startsWith('data['))
      .map(([, value]) => value.split('\n').map((line) => line.trim()))
      .flatMap(([kind, id]) => (kind === 'sms_status' && id ? [id.slice(0, 128)] : []))
      .slice(0, MOST),
  /** A form, or JSON, with `id`. */
  smsaero: (body: string): string[] => {
    let id: unknown = formOf(body).get('id')
    try {
      id = (JSON.parse(body) as { id?: unknown }).id ?? id
    } catch {
      // A form.
    }
    return /^\d{1,20}$/.test(String(id ?? '')) ? [String(id)] : []
  },
} as const
