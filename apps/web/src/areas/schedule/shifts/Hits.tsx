import { Alert } from '@mantine/core'
import type { Hit } from '@ordinator/model/areas/visits/calls'
import { counted } from '@ordinator/model/format'
import { shortDay } from '../day.ts'

const SHOWN = 5

/** Preview of visits that would lose their doctor. */
export function Hits({ hits }: { hits: readonly Hit[] }) {
  if (hits.length === 0) return null
  const forms = ['запись', 'записи', 'записей'] as const
  return (
    <Alert
      color="yellow"
      variant="light"
      role="status"
      title={`Без врача ${hits.length === 1 ? 'останется' : 'останутся'} ${counted(hits.length, forms)}`}
    >
      <ul>
        {hits.slice(0, SHOWN).map(({ idCoupon, localDate, localStart, patient }) => (
          <li key={idCoupon}>
            {shortDay(localDate)}, {localStart} — {patient ?? 'пациент'}
          </li>
        ))}
      </ul>
      {hits.length > SHOWN && <p>и ещё {hits.length - SHOWN}</p>}
      <p>Они встанут в список «Требуют переноса». Сообщение пациенту уйдёт, когда запись перенесут.</p>
    </Alert>
  )
}
