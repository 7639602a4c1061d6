import { Alert, Select } from '@mantine/core'
import { CashDesk } from '@ordinator/model/areas/money/desk'
import type { Row } from '@ordinator/model/entity'
import { useState } from 'react'
import { useList } from '../../../records/reads.ts'
import { lastDesk } from '../reads.ts'

const MAX_DESKS = 100

type DeskRow = Row<typeof CashDesk>

/** The desks that work, and the one where money is taken: the chosen, that of the branch, the first. */
export function useDesks(idDesk: number | undefined, idFilial?: number) {
  const [chosen, setDesk] = useState<number | undefined>(idDesk ?? lastDesk())
  const desks = useList(CashDesk, { filter: { active: true }, limit: MAX_DESKS }, { forbidden: 'silent' }).data?.items
  const desk = desks?.find(({ id }) => id === chosen) ?? desks?.find((one) => one.idFilial === idFilial) ?? desks?.[0]
  return { desks, desk, setDesk }
}

interface Props {
  desks: readonly DeskRow[] | undefined
  desk: DeskRow | undefined
  onChange: (id: number) => void
}

/** Why somebody sees no desk, and who helps. */
export const NO_DESKS = {
  title: 'Вам не видна ни одна касса',
  text: 'Видны кассы филиалов, где вы на вкладке «Регистратура»: туда добавляет руководитель. Новые заводят в «Настройки → Рабочие места касс»',
}

/** At which desk; nothing where there is no choice, a word where there is none at all. */
export function DeskSelect({ desks, desk, onChange }: Props) {
  if (desks?.length === 0)
    return (
      <Alert color="yellow" variant="light" title={NO_DESKS.title}>
        {NO_DESKS.text}
      </Alert>
    )
  if (!desks || desks.length < 2) return null
  return (
    <Select
      label="Касса"
      data={desks.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={desk ? String(desk.id) : null}
      onChange={(chosen) => onChange(Number(chosen))}
    />
  )
}
