import { Collapse, Text } from '@mantine/core'
import { OTHER_BRANCH } from '@ordinator/model/areas/discounts/conditions'
import { formatMoney } from '@ordinator/model/format'
import { IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { type PricedLine, round } from './usePrice.ts'
import classes from './VisitPanel.module.css'

/** Price of a line, paid part, and reasons. */
export function LinePrice({ line, name }: { line: PricedLine | undefined; name: string }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  if (!line) return null
  const { base, discount, bonus, final, paid, promise, isPromised, applied } = line
  const refused = line.refused.filter(({ why }) => why !== OTHER_BRANCH)
  const due = round(final - bonus)
  const explained = promise !== null || applied.length > 0 || refused.length > 0 || bonus > 0
  return (
    <VStack gap={4}>
      <HStack wrap gap={8}>
        <Text span size="sm" c={paid >= due ? 'var(--mantine-color-success)' : 'dimmed'} className="tabular">
          {final === 0
            ? 'без оплаты'
            : due === 0
              ? 'оплачена бонусами'
              : paid >= due
                ? 'оплачена'
                : paid > 0
                  ? `оплачено ${formatMoney(paid)} из ${formatMoney(due)}`
                  : 'не оплачена'}
        </Text>
        {isPromised && (
          <Text span size="sm" c="dimmed" className="tabular">
            обещано {formatMoney(final)}
          </Text>
        )}
        {explained && (
          <ActionButton
            label="Почему такая цена"
            aria-label={`Почему такая цена: ${name}`}
            aria-expanded={open}
            aria-controls={id}
            icon={IconChevronDown}
            size="compact-xs"
            variant="subtle"
            onClick={() => setOpen(!open)}
          />
        )}
      </HStack>
      <Collapse expanded={open} id={id}>
        <VStack gap={2} component="ul" className={classes.why}>
          <HStack component="li" gap={8}>
            <span className={classes.service}>
              {promise ? 'Цена' : 'Цена по прайсу'}
              {promise && <Fine component="div">{promise}</Fine>}
            </span>
            <span className="tabular nowrap">{formatMoney(base)}</span>
          </HStack>
          {applied.map((one) => (
            <HStack component="li" key={`${one.idDiscount} ${one.why}`} gap={8} align="flex-start">
              <span className={classes.service}>
                {one.name}
                <Fine component="div">{one.why}</Fine>
              </span>
              <span className="tabular nowrap">−{formatMoney(one.amount)}</span>
            </HStack>
          ))}
          {discount > 0 && (
            <HStack component="li" gap={8} fw={600}>
              <span className={classes.service}>Итого</span>
              <span className="tabular nowrap">{formatMoney(final)}</span>
            </HStack>
          )}
          {bonus > 0 && (
            <HStack component="li" gap={8}>
              <span className={classes.service}>Бонусами</span>
              <span className="tabular nowrap">−{formatMoney(bonus)}</span>
            </HStack>
          )}
          {refused.map((one) => (
            <li key={one.idDiscount}>
              <Fine>
                {one.name}: {one.why.toLowerCase()}
              </Fine>
            </li>
          ))}
        </VStack>
      </Collapse>
    </VStack>
  )
}
