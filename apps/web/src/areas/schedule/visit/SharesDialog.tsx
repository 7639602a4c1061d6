import { equalShares, type Share, shareErrors, shareText } from '@ordinator/model/areas/visits/shares'
import { Appointment, LinePerformer, MAX_PERFORMERS } from '@ordinator/model/areas/visits/visit'
import { IconEqual, IconPlus, IconX } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#base/api.ts'
import { ActionButton } from '#kit/ActionButton.tsx'
import { ActionDialog } from '#kit/ActionDialog.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import type { AnyRow } from '#records/fields/ui.ts'
import { invalidateRecords } from '#records/keys.ts'

/** A line with its coupon's doctor, who has the whole share by default. */
export interface SharedLine {
  id: number
  name: string
  doctor: { id: number; user: AnyRow | null }
  performers: readonly { idUser: number; share: number; user: AnyRow | null }[]
}

interface Typed extends Share {
  key: number
  user?: AnyRow | undefined
}

/** Joint performers of a line, with shares. */
export function SharesDialog({ line, onClose }: { line: SharedLine; onClose: () => void }) {
  const cache = useQueryClient()
  const [rows, setRows] = useState<Typed[]>(() =>
    line.performers.length
      ? line.performers.map(({ idUser, share, user }, key) => ({ key, idUser, share, user: user ?? undefined }))
      : [{ key: 0, idUser: line.doctor.id, share: 100, user: line.doctor.user ?? undefined }],
  )
  const [added, setAdded] = useState<number>()
  const change = (key: number, patch: Partial<Typed>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...patch } : row)))
  const add = () => {
    const left = (10_000 - hundredths(rows)) / 100
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1
    setAdded(key)
    setRows([...rows, { key, idUser: null, share: left > 0 ? left : null }])
  }
  const remove = (key: number) => {
    const left = rows.filter((row) => row.key !== key)
    // A single performer has 100 %.
    setRows(left.length === 1 ? left.map((row) => ({ ...row, share: 100 })) : left)
  }
  const evenly = () => {
    const shares = equalShares(rows.length)
    setRows(rows.map((row, at) => ({ ...row, share: shares[at] as number })))
  }
  return (
    <ActionDialog
      title={`Исполнители: ${line.name}`}
      action="Сохранить"
      onClose={onClose}
      faults={Object.fromEntries(shareErrors(rows).map(({ field, message }) => [field, message]))}
      run={async () => {
        const performers = rows.flatMap(({ idUser, share }) =>
          idUser !== null && typeof share === 'number' ? [{ idUser, share }] : [],
        )
        // Only the coupon's doctor equals no list.
        const isAlone = performers.length === 1 && performers[0]?.idUser === line.doctor.id
        await api('POST /coupon-services/:id/performers', {
          params: { id: line.id },
          body: { performers: isAlone ? [] : performers },
        })
        await Promise.all([invalidateRecords(cache, Appointment.path), invalidateRecords(cache, LinePerformer.path)])
      }}
    >
      {(errorOf) => (
        <VStack gap={12}>
          {rows.length === 0 && <Muted>Услугу выполняет один врач талона.</Muted>}
          {rows.map(({ key, idUser, share, user }, at) => (
            <HStack key={key} align="start" gap={8}>
              <Block grow miw={0}>
                <RefSelect
                  to="users"
                  label={at === 0 ? 'Исполнитель' : undefined}
                  aria-label={`Исполнитель ${at + 1}`}
                  placeholder="Сотрудник"
                  autoFocus={key === added}
                  value={idUser}
                  known={user}
                  error={errorOf(`performers.${at}.idUser`)}
                  onChange={(id, record) => change(key, { idUser: id, user: record })}
                />
              </Block>
              <NumberField
                label={at === 0 ? 'Доля' : undefined}
                aria-label={`Доля исполнителя ${at + 1}, %`}
                unit="%"
                w={96}
                value={share}
                error={errorOf(`performers.${at}.share`)}
                onChange={(value) => change(key, { share: value })}
              />
              <Block pt={at === 0 ? 24 : 0}>
                <IconButton icon={IconX} label={`Убрать исполнителя ${at + 1}`} onClick={() => remove(key)} />
              </Block>
            </HStack>
          ))}
          <HStack wrap gap={8} justify="space-between">
            <HStack gap={8}>
              <ActionButton
                label="Добавить исполнителя"
                icon={IconPlus}
                variant="default"
                size="compact-sm"
                disabled={rows.length >= MAX_PERFORMERS}
                onClick={add}
              />
              {rows.length > 1 && (
                <ActionButton label="Поровну" icon={IconEqual} variant="default" size="compact-sm" onClick={evenly} />
              )}
            </HStack>
            {rows.length > 0 && <Muted className="tabular">Вместе {shareText(hundredths(rows) / 100)}</Muted>}
          </HStack>
        </VStack>
      )}
    </ActionDialog>
  )
}

const hundredths = (rows: readonly Share[]): number =>
  rows.reduce((sum, { share }) => sum + (typeof share === 'number' ? Math.round(share * 100) : 0), 0)
