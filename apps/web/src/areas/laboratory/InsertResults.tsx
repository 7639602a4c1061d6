import { flags, valueWords } from '@ordinator/model/areas/laboratory/values'
import { IconFlask } from '@tabler/icons-react'
import { useState } from 'react'
import type { Answer } from '#base/api.ts'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { formatDate } from '#kit/clock.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { notify } from '#kit/notify.tsx'

type Value = Answer<'GET /laboratory/customers/:id/results'>['items'][number]

/** «Глюкоза 6,4 ммоль/л (выше нормы, норма 4,1–6,1)» for each latest value, by day of sampling. */
export function wordsOfResults(
  values: readonly Pick<Value, 'takenAt' | 'name' | 'value' | 'unit' | 'flag' | 'normText'>[],
): string[] {
  const days = Map.groupBy(
    values.toSorted((a, b) => (a.takenAt < b.takenAt ? 1 : -1)),
    ({ takenAt }) => formatDate(takenAt),
  )
  return [...days].map(([day, of]) => {
    const values = of.map(({ name, value, unit, flag, normText }) => {
      const aside =
        flag && flag !== 'N' ? ` (${[flags[flag].toLowerCase(), normText].filter(Boolean).join(', норма ')})` : ''
      return `${name} ${[valueWords(value), unit].filter(Boolean).join(' ')}${aside}`
    })
    return `Анализы от ${day}: ${values.join('; ')}.`
  })
}

/** Inserts a patient's latest published values into a text, one line per day. */
export default function InsertResults({
  idCustomer,
  label,
  onInsert,
}: {
  idCustomer: number
  /** Label of the target field. */
  label: string
  onInsert: (lines: string[]) => void
}) {
  const [busy, setBusy] = useState(false)
  const insert = async () => {
    setBusy(true)
    try {
      const { items } = await api('GET /laboratory/customers/:id/results', { params: { id: idCustomer } })
      if (items.length === 0) notify.info('Подтверждённых анализов у пациента нет')
      else onInsert(wordsOfResults(items))
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Анализы не вставлены' })
    }
    setBusy(false)
  }
  return (
    <IconButton
      icon={IconFlask}
      label={`Вставить анализы: ${label}`}
      size={24}
      disabled={busy}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => void insert()}
    />
  )
}
