import { flags } from '@ordinator/model/areas/laboratory/values'
import { IconFlask } from '@tabler/icons-react'
import { useState } from 'react'
import type { Answer } from '../../base/api.ts'
import { api } from '../../base/api.ts'
import { errorMessage } from '../../base/apiError.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { formatDate } from '../../kit/clock.ts'
import { notify } from '../../kit/notify.tsx'

type Value = Answer<'GET /laboratory/customers/:id/results'>['items'][number]

/** «Глюкоза 6,4 ммоль/л (выше нормы 4,1–6,1)» of each of the last values, by the day on which it was taken. */
export function wordsOfResults(values: readonly Value[]): string {
  const days = Map.groupBy(values, ({ takenAt }) => formatDate(takenAt))
  return [...days]
    .map(([day, of]) => {
      const said = of.map(({ name, value, unit, flag, normText }) => {
        const aside =
          flag && flag !== 'N' ? ` (${[flags[flag].toLowerCase(), normText].filter(Boolean).join(', норма ')})` : ''
        return `${name} ${[value, unit].filter(Boolean).join(' ')}${aside}`
      })
      return `Анализы от ${day}: ${said.join('; ')}.`
    })
    .join('\n')
}

/** Draws the last published values of a patient into a text by one click. */
export default function InsertResults({
  idCustomer,
  onInsert,
}: {
  idCustomer: number
  onInsert: (text: string) => void
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
    <ActionButton
      label="Вставить анализы"
      icon={IconFlask}
      variant="default"
      size="compact-sm"
      loading={busy}
      onClick={() => void insert()}
    />
  )
}
