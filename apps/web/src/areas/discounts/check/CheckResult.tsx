import { Alert, Text } from '@mantine/core'
import { formatDay, formatMoney, formatNumber } from '@ordinator/model/format'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { Answer } from '#base/api.ts'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine, Muted } from '#kit/Words.tsx'
import classes from './Check.module.css'

type Calculated = Answer<'POST /discounts/calculate'>

/** Result of a calculation by line: applied and refused discounts, with reasons. */
export function CheckResult({ answer }: { answer: Calculated }) {
  const { lines, base, discount, final, date, time, codeRefusal, needApproval } = answer
  return (
    <VStack gap={16}>
      <HStack justify="space-between" align="flex-end" wrap>
        <div>
          <Muted>
            К оплате {formatDay(date)} в {time}
          </Muted>
          <div className={`${classes.total} tabular`}>{formatMoney(final)}</div>
        </div>
        {discount > 0 && (
          <Text component="div" ta="right" className="tabular">
            <Muted component="div">
              <s>{formatMoney(base)}</s>
            </Muted>
            <strong>−{formatMoney(discount)}</strong>
          </Text>
        )}
      </HStack>
      {codeRefusal && (
        <Alert color="orange" variant="light">
          Код не подошёл: {codeRefusal}
        </Alert>
      )}
      {needApproval.length > 0 && (
        <Alert color="orange" variant="light">
          Часть скидок даётся только с согласия другого сотрудника
        </Alert>
      )}
      <VStack component="ol" gap={0}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same service may occur twice
          <Line key={at} line={line} />
        ))}
      </VStack>
    </VStack>
  )
}

/** Full reasons are expandable. */
function Line({ line }: { line: Calculated['lines'][number] }) {
  const { name, quantity, price, base, final, applied, refused } = line
  return (
    <Block component="li" rule="top" py={12}>
      <HStack justify="space-between" align="flex-start" gap={16}>
        <Block miw={0} className="breaks">
          <strong>{name}</strong>
          <Fine component="div">
            {quantity === 1 ? formatMoney(price) : `${formatNumber(quantity)} × ${formatMoney(price)}`}
          </Fine>
        </Block>
        <Text component="div" ta="right" className={`${classes.sum} tabular`}>
          {formatMoney(final)}
          {final < base && (
            <Muted component="div">
              <s>{formatMoney(base)}</s>
            </Muted>
          )}
        </Text>
      </HStack>
      <VStack component="ul" gap={4} mt={8}>
        {applied.map(({ idDiscount, name: given, amount, why }) => (
          <HStack key={idDiscount} component="li" gap={8} align="flex-start">
            <IconCheck size={16} className={classes.yes} aria-label="Применилась" role="img" />
            <Block grow miw={0} className="breaks">
              {given} <Muted>{why}</Muted>
            </Block>
            <span className={`${classes.sum} tabular`}>−{formatMoney(amount)}</span>
          </HStack>
        ))}
        {applied.length === 0 && <Muted component="li">Скидок на эту строку нет</Muted>}
      </VStack>
      {refused.length > 0 && (
        <details className={classes.refused} open={applied.length === 0 && refused.length < 4}>
          <summary>Почему не другие: {formatNumber(refused.length)}</summary>
          <VStack component="ul" gap={4} mt={4}>
            {refused.map(({ idDiscount, name: other, why }) => (
              <HStack key={idDiscount} component="li" gap={8} align="flex-start">
                <IconX size={16} className={classes.no} aria-hidden />
                <Block miw={0} className="breaks">
                  {other} <Muted>{why}</Muted>
                </Block>
              </HStack>
            ))}
          </VStack>
        </details>
      )}
    </Block>
  )
}
