import { SegmentedControl, Text } from '@mantine/core'
import { allowed } from '@ordinator/model/access'
import { formatDay, formatNumber } from '@ordinator/model/format'
import { IconAdjustments } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { useActor } from '#base/session.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { DateField } from '#kit/DateField.tsx'
import { ErrorState } from '#kit/ErrorState.tsx'
import { FormDialog } from '#kit/FormDialog.tsx'
import { notify } from '#kit/notify.tsx'
import { LinesSkeleton } from '#kit/Skeletons.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from '../account/Account.module.css'
import { readMoney, useBonusMoves, useOperationKey } from '../reads.ts'
import { SumAndReason, wrongReason } from '../SumAndReason.tsx'

/** Bonuses of a customer: balance, expiry, history; hidden without any. */
export function Bonuses({ idCustomer }: { idCustomer: number }) {
  const actor = useActor()
  const [isOpen, setOpen] = useState(false)
  const moves = useBonusMoves(idCustomer)
  if (moves.isError) return <ErrorState error={moves.error} onRetry={() => void moves.refetch()} />
  const [first] = moves.data?.pages ?? []
  if (!first) return <LinesSkeleton lines={2} />
  const lines = moves.data?.pages.flatMap((page) => page.lines) ?? []
  const mayEdit = allowed(actor, 'editBonuses')
  if (lines.length === 0 && !mayEdit) return null
  return (
    <section aria-label="Бонусы">
      <HStack justify="space-between" wrap gap={8} mb={8}>
        <h2 className={classes.title}>Бонусы</h2>
        {mayEdit && (
          <ActionButton
            label="Начислить или списать"
            variant="default"
            size="compact-sm"
            icon={IconAdjustments}
            onClick={() => setOpen(true)}
          />
        )}
      </HStack>
      {lines.length === 0 ? (
        <Muted component="p">Бонусов пока не было</Muted>
      ) : (
        <VStack gap={8}>
          <Block framed p={12}>
            <Fine component="div">Доступно</Fine>
            <Text fz={20} fw={600} className="tabular">
              {formatNumber(first.available, 2)}
            </Text>
            {first.burning.map(({ day, sum }) => (
              <Fine component="div" key={day}>
                {formatNumber(sum, 2)} действуют по {formatDay(day)}
              </Fine>
            ))}
            {first.coming.map(({ day, sum }) => (
              <Fine component="div" key={day}>
                Ещё {formatNumber(sum, 2)} — с {formatDay(day)}
              </Fine>
            ))}
          </Block>
          <ul className={classes.moves}>
            {lines.map(({ id, localDate, comment, idAuthor, author, sum }) => (
              <li key={id}>
                <Fine>{formatDay(localDate)}</Fine>
                <span className="breaks">
                  {comment}
                  {author && (
                    <Fine component="div">
                      <UserLink user={{ id: idAuthor ?? undefined, shortFio: author }} />
                    </Fine>
                  )}
                </span>
                <span className="tabular nowrap">
                  {sum > 0 ? '+' : '−'}
                  {formatNumber(Math.abs(sum), 2)}
                </span>
              </li>
            ))}
          </ul>
          {moves.hasNextPage && (
            <ActionButton
              label="Показать раньше"
              variant="subtle"
              size="compact-sm"
              loading={moves.isFetchingNextPage}
              onClick={() => void moves.fetchNextPage()}
            />
          )}
        </VStack>
      )}
      {isOpen && <CorrectDialog idCustomer={idCustomer} onClose={() => setOpen(false)} />}
    </section>
  )
}

const kinds = { add: 'Начислить', takeOff: 'Списать' } as const

function CorrectDialog({ idCustomer, onClose }: { idCustomer: number; onClose: () => void }) {
  const cache = useQueryClient()
  const [key] = useOperationKey()
  return (
    <FormDialog
      title="Бонусы вручную"
      action={({ kind }) => kinds[kind]}
      draft={{
        kind: 'add' as keyof typeof kinds,
        sum: null as number | null,
        reason: '',
        dateTo: null as string | null,
      }}
      required={{ sum: 'Укажите, сколько бонусов' }}
      faults={(draft) => ({ reason: wrongReason(draft) })}
      send={({ dateTo, ...correction }) =>
        api('POST /customers/:id/bonuses', {
          params: { id: idCustomer },
          body: { key, ...correction, ...(correction.kind === 'add' && { dateTo }) },
        })
      }
      done={async ({ available }) => {
        await readMoney(cache)
        notify.success(`Доступно бонусов: ${formatNumber(available, 2)}`)
      }}
      onClose={onClose}
    >
      {({ draft: { kind }, number, value, choice }) => (
        <>
          <SegmentedControl
            aria-label="Что сделать"
            data={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
            {...choice('kind')}
          />
          <SumAndReason number={number} value={value} />
          {kind === 'add' && <DateField label="Действуют по" description="Пусто — не сгорают" {...value('dateTo')} />}
        </>
      )}
    </FormDialog>
  )
}
