import { Badge, Checkbox } from '@mantine/core'
import { LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { Laboratory } from '@ordinator/model/areas/laboratory/laboratory'
import type { Row } from '@ordinator/model/entity'
import { counted, formatMoney } from '@ordinator/model/format'
import { pageByKey } from '@ordinator/model/pages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { WayTo } from '#base/WayTo.tsx'
import { ActionButton } from '#kit/ActionButton.tsx'
import { EmptyState } from '#kit/EmptyState.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { RegistryPage } from '#records/RegistryPage.tsx'
import { retries } from '#records/reads.ts'
import type { RecordParts } from '#records/registry/RegistryRecord.tsx'
import classes from './Laboratory.module.css'
import { TableFrame } from './words.tsx'

const tabs: RecordParts<typeof Laboratory>['tabs'] = {
  price: { label: 'Прайс', panel: (laboratory) => <PartnerPrice laboratory={laboratory} /> },
}

/** Лаборатории: the clinic's own and its partners. */
export default function LaboratoriesPage() {
  return (
    <RegistryPage page={pageByKey('labList')} entity={Laboratory} tabs={tabs} isMuted={({ active }) => !active} wide />
  )
}

const states = {
  new: ['Новое', 'blue'],
  same: ['Без изменений', 'gray'],
  changed: ['Изменилось', 'orange'],
  gone: ['Нет в прайсе', 'red'],
} as const

/** Price list of a partner, matched with own tests. */
function PartnerPrice({ laboratory }: { laboratory: Row<typeof Laboratory> }) {
  const cache = useQueryClient()
  const [picked, setPicked] = useState<ReadonlySet<string>>()
  const [busy, setBusy] = useState(false)
  const hasAdapter = laboratory.kind === 'partner' && laboratory.adapter !== 'none'
  const answer = useQuery({
    queryKey: ['lab-price', laboratory.id],
    queryFn: ({ signal }) =>
      api('GET /laboratory/list/:id/price', { params: { id: laboratory.id } }, { signal, forbidden: 'silent' }),
    enabled: hasAdapter,
    retry: retries,
  })
  if (!hasAdapter)
    return (
      <EmptyState
        title="Обмена с этой лабораторией нет"
        text="Прайс файлом загружают в каталоге исследований: «Импорт»."
        action={<WayTo page="labCatalog" label="К каталогу" />}
      />
    )
  if (answer.isPending) return <LinesSkeleton lines={8} />
  if (answer.isError) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const items = answer.data.items.filter(({ state }) => state !== 'same')
  const chosen = picked ?? new Set(items.filter(({ state }) => state === 'changed').map(({ code }) => code))
  const toggle = (code: string) => {
    const next = new Set(chosen)
    if (!next.delete(code)) next.add(code)
    setPicked(next)
  }
  const take = async () => {
    setBusy(true)
    try {
      const { changed, created } = await api(
        'POST /laboratory/list/:id/price',
        { params: { id: laboratory.id }, body: { codes: [...chosen] } },
        { forbidden: 'toast' },
      )
      await invalidateRecords(cache, LabTest.path)
      await answer.refetch()
      setPicked(undefined)
      notify.success(`Обновлено ${changed}, добавлено ${created}`, { title: 'Прайс принят' })
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Прайс не принят' })
    }
    setBusy(false)
  }
  return (
    <VStack gap={12}>
      <HStack wrap gap={12}>
        <ActionButton
          label={`Принять отмеченное (${chosen.size})`}
          disabled={chosen.size === 0}
          loading={busy}
          onClick={() => void take()}
        />
        <Muted>
          {counted(answer.data.items.length, ['строка', 'строки', 'строк'])} в прайсе, без изменений{' '}
          {answer.data.items.length - items.length}
        </Muted>
      </HStack>
      {items.length === 0 ? (
        <EmptyState title="Прайс совпадает" text="Цены и сроки партнёра такие же, как в каталоге." />
      ) : (
        <TableFrame label="Прайс партнёра">
          <table className={classes.table}>
            <thead>
              <tr>
                <th aria-label="Принять" />
                <th>Код</th>
                <th>Исследование</th>
                <th>Что</th>
                <th className={classes.number}>Было</th>
                <th className={classes.number}>Стало</th>
                <th className={classes.number}>Цена</th>
                <th className={classes.number}>Совет</th>
                <th className={classes.number}>Маржа</th>
              </tr>
            </thead>
            <tbody>
              {items.map((item) => (
                <tr key={item.code}>
                  <td>
                    <Checkbox
                      aria-label={`Принять: ${item.name}`}
                      disabled={item.state === 'gone'}
                      checked={chosen.has(item.code)}
                      onChange={() => toggle(item.code)}
                    />
                  </td>
                  <td>{item.code}</td>
                  <td>{item.name}</td>
                  <td>
                    <Badge size="sm" variant="light" color={states[item.state][1]}>
                      {states[item.state][0]}
                    </Badge>
                  </td>
                  <td className={classes.number}>{item.ownCost === null ? '—' : formatMoney(item.ownCost)}</td>
                  <td className={classes.number}>{item.state === 'gone' ? '—' : formatMoney(item.cost)}</td>
                  <td className={classes.number}>{item.price === null ? 'нет услуги' : formatMoney(item.price)}</td>
                  <td className={classes.number}>{item.advised === null ? '—' : formatMoney(item.advised)}</td>
                  <td className={classes.number}>{item.margin === null ? '—' : formatMoney(item.margin)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableFrame>
      )}
    </VStack>
  )
}
