import { Checkbox, Text } from '@mantine/core'
import { restOf } from '@ordinator/model/areas/money/owed'
import { rubles } from '@ordinator/model/areas/money/rules'
import { formatDay, formatMoney } from '@ordinator/model/format'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import type { Take } from './useTake.ts'

/** Debt or advance of the patient. */
export function OwedText({ take: { balance, services, total } }: { take: Take }) {
  if (!balance.data) return null
  const { debt, advance } = balance.data
  const { lines, chosen, free } = services
  return (
    <Text size="sm" className="tabular">
      {debt > 0 ? (
        <>
          Долг <strong>{formatMoney(debt)}</strong>
        </>
      ) : advance > 0 ? (
        <>
          Долга нет, аванс {formatMoney(advance)}
          {free > 0 && chosen.some(({ charged }) => !charged) && ': зачтётся, когда услугу окажут'}
        </>
      ) : lines.length > 0 ? (
        total > 0 ? (
          `Предоплата ${formatMoney(rubles(total))}: услуги ещё не оказаны`
        ) : (
          'Долга нет'
        )
      ) : (
        'Долга нет: оплата станет авансом'
      )}
    </Text>
  )
}

/** Unpaid services, checked ones are paid. */
export function PaidFor({ services: { lines, isChosen, choose } }: { services: Take['services'] }) {
  if (lines.length === 0) return null
  return (
    <Block component="fieldset" framed p={12} m={0}>
      <legend>За что</legend>
      <VStack gap={8}>
        {lines.map((line) => (
          <HStack key={line.id} gap={8} align="flex-start">
            <Block grow miw={0}>
              <Checkbox
                label={line.service}
                description={`${formatDay(line.localDate)}${line.charged ? '' : ', ещё не оказана: предоплата'}`}
                checked={isChosen(line)}
                onChange={({ currentTarget: { checked } }) => choose(line, checked)}
              />
            </Block>
            <span className="tabular nowrap">{formatMoney(rubles(restOf(line)))}</span>
          </HStack>
        ))}
      </VStack>
    </Block>
  )
}
