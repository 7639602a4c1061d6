import { TextInput } from '@mantine/core'
import { PromoCode } from '@ordinator/model/areas/discounts/discount'
import { counted } from '@ordinator/model/format'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { DateField } from '#kit/DateField.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { notify } from '#kit/notify.tsx'
import { Tiles } from '#kit/Stacks.tsx'
import { invalidateRecords } from '#records/keys.ts'

const CODES = ['код', 'кода', 'кодов'] as const

/** Generates random codes; the list exports them. */
export function GenerateCodes({ idDiscount, onClose }: { idDiscount: number; onClose: () => void }) {
  const cache = useQueryClient()
  const [count, setCount] = useState<number | string | null>(100)
  const [limit, setLimit] = useState<number | string | null>(1)
  const [prefix, setPrefix] = useState('')
  const [expires, setExpires] = useState<string | null>(null)
  const run = async () => {
    const { made } = await api(
      'POST /discounts/:id/generate-codes',
      {
        params: { id: idDiscount },
        body: {
          count: Number(count),
          ...(limit !== null && { limit: Number(limit) }),
          ...(prefix && { prefix }),
          ...(expires && { expires }),
        },
      },
      { forbidden: 'toast' },
    )
    await invalidateRecords(cache, PromoCode.path)
    notify.success(`Выпущено: ${counted(made, CODES)}. Выгрузить их можно из списка`)
  }
  return (
    <ActionDialog
      title="Выпустить коды"
      action="Выпустить"
      size={520}
      run={run}
      onClose={onClose}
      faults={{ count: !count && 'Обязательное поле' }}
    >
      {(errorOf) => (
        <Tiles tile={200} fit gap={16}>
          <NumberField
            label="Сколько"
            description="До 1 000"
            value={count}
            error={errorOf('count')}
            onChange={setCount}
          />
          <NumberField
            label="Применений у каждого"
            description="Пусто — один раз"
            value={limit}
            error={errorOf('limit')}
            onChange={setLimit}
          />
          <TextInput
            label="Начало кода"
            description="Например, ЗИМА-"
            value={prefix}
            error={errorOf('prefix')}
            onChange={(event) => setPrefix(event.currentTarget.value)}
          />
          <DateField
            label="Действуют по"
            description="Пусто — без срока"
            value={expires}
            error={errorOf('expires')}
            onChange={setExpires}
          />
        </Tiles>
      )}
    </ActionDialog>
  )
}
