import type { PortalMe } from '@ordinator/model/areas/portal/calls'
import { formatDay } from '@ordinator/model/format'
import { ask } from './ask.ts'
import { Empty, Loaded } from './parts.tsx'
import { useAsked } from './useAsked.ts'

/** Документы: what was found, offered and agreed to, each to be read and kept. */
export function Papers({ me, patient }: { me: PortalMe; patient: number }) {
  const asked = useAsked((signal) => ask('GET /portal/papers', { query: { patient } }, signal), `papers ${patient}`)
  if (!me.isProven)
    return <p className="card">По этой ссылке видно только время визитов. Войдите по коду, чтобы увидеть документы.</p>
  return (
    <Loaded asked={asked}>
      {({ items }) =>
        items.length === 0 ? (
          <Empty title="Документов пока нет">
            Здесь будут заключения врачей, планы лечения и подписанные согласия.
          </Empty>
        ) : (
          <ul className="list">
            {items.map(({ kind, id, name, day, doctor, note }) => (
              <li key={`${kind} ${id}`} className="card">
                <div className="head">
                  <strong>{name}</strong>
                  <span className="chip">{note}</span>
                </div>
                <p className="quiet">{[formatDay(day), doctor].filter(Boolean).join(', ')}</p>
                <a
                  className="button wide"
                  data-tone="plain"
                  href={`/portal/papers/${kind}/${id}?patient=${patient}`}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={`Открыть: ${name}, ${formatDay(day)}`}
                >
                  Открыть
                </a>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}
