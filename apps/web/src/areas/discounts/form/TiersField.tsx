import { Input } from '@mantine/core'
import type { Tier } from '@ordinator/model/areas/discounts/discount'
import { IconTrash } from '@tabler/icons-react'
import { AddLine } from '#kit/AddLine.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Muted } from '#kit/Words.tsx'
import type { InputProps } from '#records/fields/ui.ts'

/** Step of the next suggested tier, rubles. */
const STEP = 50_000
const MAX_TIERS = 20

/** Tiers: sum and percent. */
export function TiersField({ value, onChange, label, error, readOnly }: InputProps) {
  const tiers = Array.isArray(value) ? (value as Tier[]) : []
  const set = (at: number, patch: Partial<Record<keyof Tier, unknown>>) =>
    onChange(tiers.map((tier, one) => (one === at ? { ...tier, ...patch } : tier)))
  const add = () => {
    const last = tiers.at(-1)
    onChange([
      ...tiers,
      { fromSum: last ? Number(last.fromSum) + STEP : 0, percent: last ? Number(last.percent) + 2 : 3 },
    ])
  }
  return (
    <Input.Wrapper label={label} labelElement="div" error={error} data-wide>
      <VStack gap={8} mt={4} align="flex-start">
        {tiers.map((tier, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a tier is its place
          <HStack key={at} gap={8} wrap>
            <Muted>от</Muted>
            <NumberField
              aria-label={`Ступень ${at + 1}: сумма от`}
              w={150}
              unit="₽"
              value={tier.fromSum}
              readOnly={readOnly}
              onChange={(fromSum) => set(at, { fromSum: fromSum ?? 0 })}
            />
            <NumberField
              aria-label={`Ступень ${at + 1}: процент`}
              w={96}
              unit="%"
              value={tier.percent}
              readOnly={readOnly}
              onChange={(percent) => set(at, { percent: percent ?? 0 })}
            />
            {!readOnly && (
              <IconButton
                icon={IconTrash}
                label={`Убрать ступень ${at + 1}`}
                onClick={() => onChange(tiers.filter((_, one) => one !== at))}
              />
            )}
          </HStack>
        ))}
        {!readOnly && tiers.length < MAX_TIERS && <AddLine label="Добавить ступень" size="compact-md" onAdd={add} />}
      </VStack>
    </Input.Wrapper>
  )
}
