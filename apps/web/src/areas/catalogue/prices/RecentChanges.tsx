import { Text } from '@mantine/core'
import { changeUnits, Price, PriceChange, UNDO_HOURS } from '@ordinator/model/areas/catalogue/price'
import { Service } from '@ordinator/model/areas/catalogue/service'
import { counted, formatNumber } from '@ordinator/model/format'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { errorMessage } from '#base/apiError.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { formatHuman } from '#kit/clock.ts'
import { notify } from '#kit/notify.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { UserLink } from '#kit/UserLink.tsx'
import { Muted } from '#kit/Words.tsx'
import { invalidateRecords } from '#records/keys.ts'
import { useList } from '#records/reads.ts'

const SHOWN = 3
const HOUR_MS = 3_600_000

/** Undoes a bulk price change, with a toast. */
export function useUndoChange() {
  const cache = useQueryClient()
  return async (id: number): Promise<void> => {
    try {
      const { restored, kept } = await api('POST /price-changes/:id/undo', { params: { id } }, { forbidden: 'toast' })
      const words = `Прежние цены вернулись: ${formatNumber(restored)}`
      if (kept) notify.info(`${words}. С тех пор изменены и остались: ${formatNumber(kept)}`)
      else notify.success(words)
    } catch (error) {
      notify.error(errorMessage(error), { title: 'Цены не возвращены' })
    }
    for (const path of [Service.path, Price.path, PriceChange.path]) void invalidateRecords(cache, path)
  }
}

/** Latest bulk price changes; recent ones can be undone. */
export function RecentChanges() {
  const undo = useUndoChange()
  const [busy, setBusy] = useState<number>()
  const since = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - UNDO_HOURS * HOUR_MS).toISOString()
  const list = useList(
    PriceChange,
    { filter: { dateUndone: null, dateCreate: { gt: since } }, expand: ['user', 'priceList'], limit: SHOWN },
    { forbidden: 'silent' },
  )
  if (!list.data?.items.length) return null
  return (
    <section aria-label="Недавние изменения цен">
      <Text size="sm" fw={500} mb={4}>
        Недавние изменения
      </Text>
      <VStack gap={4} component="ul">
        {list.data.items.map(({ id, unit, amount, total, dateCreate, user, priceList }) => (
          <HStack key={id} component="li" justify="space-between" gap={12}>
            <span>
              {amount > 0 ? '+' : ''}
              {formatNumber(amount)} {changeUnits[unit]}, {counted(total, ['цена', 'цены', 'цен'])}{' '}
              <Muted component="span">
                {[priceList?.name, formatHuman(dateCreate)].filter(Boolean).join(' · ')}
                {user && ' · '}
                {user && <UserLink user={user} />}
              </Muted>
            </span>
            <ActionButton
              label="Отменить"
              reverse
              size="compact-sm"
              variant="subtle"
              icon={IconArrowBackUp}
              loading={busy === id}
              onClick={() => {
                setBusy(id)
                void undo(id).finally(() => setBusy(undefined))
              }}
            />
          </HStack>
        ))}
      </VStack>
    </section>
  )
}
