import { Radio, Text } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import type { AnyField, Row } from '@ordinator/model/entity'
import { inSentence } from '@ordinator/model/format'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Muted } from '#kit/Words.tsx'
import { FieldValue } from '#records/FieldValue.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import classes from './MergeDialog.module.css'
import { unmergeCards } from './unmerge.ts'

interface Props {
  customer: Pick<Row<typeof Customer>, 'id' | 'fio'>
  /** The other card, if known. */
  other?: number
  onClose: () => void
}

/** Merges two cards of one patient: the value of each field is chosen, and all records of the other card move here. */
export function MergeDialog({ customer, other, onClose }: Props) {
  const cache = useQueryClient()
  const [idMerged, setMerged] = useState<number | null>(other ?? null)
  const [chosen, setChosen] = useState<Record<string, 'kept' | 'merged'>>({})
  const preview = useQuery({
    queryKey: ['customers', 'merge', customer.id, idMerged],
    queryFn: ({ signal }) =>
      api(
        'GET /customers/:id/merge',
        { params: { id: customer.id }, query: { idMerged: idMerged as number } },
        { signal, forbidden: 'silent' },
      ),
    enabled: idMerged !== null && idMerged !== customer.id,
  })
  // An empty value defaults to that of the other card.
  const sideOf = (field: string, kept: unknown) => chosen[field] ?? (kept === null || kept === '' ? 'merged' : 'kept')
  const fields = preview.data?.fields ?? []
  const total = preview.data?.links.reduce((sum, { count }) => sum + count, 0) ?? 0
  return (
    <ActionDialog
      title={`Объединить карту: ${customer.fio}`}
      size={720}
      action="Объединить"
      disabled={!preview.data}
      onClose={onClose}
      run={async () => {
        const take = fields.flatMap(({ field, kept }) => (sideOf(field, kept) === 'merged' ? [field] : []))
        const made = await api(
          'POST /customers/:id/merge',
          { params: { id: customer.id }, body: { idMerged: idMerged as number, take } },
          { forbidden: 'toast' },
        )
        await Promise.all(
          [['records'], ['customers', 'similar'], ['customers', 'duplicates']].map((queryKey) =>
            cache.invalidateQueries({ queryKey }),
          ),
        )
        notify.undo('Карты объединены', () => unmergeCards(cache, made.id))
      }}
    >
      <Text mb={12}>
        Останется эта карта, другая присоединится к ней со всеми записями. Разъединить их можно в течение 30 дней.
      </Text>
      {other === undefined && (
        <RefSelect
          to={Customer.path}
          label="Присоединить карту"
          required
          value={idMerged}
          error={idMerged === customer.id ? 'Это та же карта' : undefined}
          onChange={(id) => {
            setMerged(id)
            setChosen({})
          }}
        />
      )}
      {preview.isError ? (
        <ErrorState error={preview.error} onRetry={() => void preview.refetch()} />
      ) : preview.isLoading ? (
        <LinesSkeleton lines={5} />
      ) : (
        preview.data && (
          <>
            {fields.length > 0 && (
              <table className={classes.fields}>
                <thead>
                  <tr>
                    <th scope="col">Поле</th>
                    <th scope="col">Эта карта</th>
                    <th scope="col">Другая карта</th>
                  </tr>
                </thead>
                <tbody>
                  {fields.map(({ field, ...values }) => {
                    const f = Customer.all[field] as AnyField
                    return (
                      <tr key={field}>
                        <th scope="row">{f.options.label}</th>
                        {(['kept', 'merged'] as const).map((side) => (
                          <td key={side}>
                            <Radio
                              size="sm"
                              name={`merge-${field}`}
                              checked={sideOf(field, values.kept) === side}
                              onChange={() => setChosen((now) => ({ ...now, [field]: side }))}
                              label={<FieldValue f={f} value={values[side]} empty="пусто" />}
                              aria-label={`${f.options.label}: ${side === 'kept' ? 'эта карта' : 'другая карта'}`}
                            />
                          </td>
                        ))}
                      </tr>
                    )
                  })}
                </tbody>
              </table>
            )}
            <Muted component="p" mt={12}>
              {total === 0
                ? 'У другой карты нет записей.'
                : `Перейдут записи: ${preview.data.links.map(({ label, count }) => `${inSentence(label)} — ${count}`).join(', ')}.`}
            </Muted>
          </>
        )
      )}
    </ActionDialog>
  )
}
