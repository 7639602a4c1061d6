import { Text, TextInput } from '@mantine/core'
import { Customer } from '@ordinator/model/areas/customers/customer'
import { rubles } from '@ordinator/model/areas/money/rules'
import { formatMoney, formatNumber } from '@ordinator/model/format'
import { IconGift, IconPlus } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import type { ErrorOf } from '#kit/ActionDialog.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefSelect } from '#records/fields/RefSelect.tsx'
import { MOST_PARTS, notesAbove, type Take } from './useTake.ts'

interface Props {
  take: Take
  errorOf: ErrorOf
}

/** Bonuses that pay for the services, if some may. */
export function BonusField({ take: { bonuses, bonus, setBonus }, errorOf }: Props) {
  const most = bonuses.data?.most ?? 0
  if (most <= 0) return null
  return (
    <NumberField
      label="Бонусами"
      description={`Доступно ${formatNumber(bonuses.data?.available ?? 0, 2)}, за эти услуги можно ${formatNumber(most, 2)}`}
      digits={2}
      value={bonus}
      error={errorOf('bonus')}
      onChange={setBonus}
      rightSectionWidth={72}
      rightSection={<ActionButton label="Все" size="compact-xs" variant="subtle" onClick={() => setBonus(most)} />}
    />
  )
}

/** Received cash, with the change. */
export function CashFields({ take: { cash, received, setReceived, change }, errorOf }: Props) {
  if (!cash) return null
  const sum = typeof cash.sum === 'number' ? cash.sum : 0
  return (
    <VStack gap={6}>
      <HStack align="flex-end" gap={0}>
        <Block grow>
          <NumberField
            label="Получено наличными"
            digits={2}
            unit="₽"
            value={received}
            error={errorOf('received')}
            onChange={setReceived}
          />
        </Block>
        <Text fz={18} fw={600} pb={4} className="tabular" aria-live="polite">
          {change !== undefined && change >= 0 && (
            <Text span inherit pl={12}>
              Сдача {formatMoney(rubles(change))}
            </Text>
          )}
        </Text>
      </HStack>
      {sum > 0 && (
        <HStack wrap gap={6}>
          <ActionButton label="Без сдачи" size="compact-sm" variant="default" onClick={() => setReceived(sum)} />
          {notesAbove(sum).map((note) => (
            <ActionButton
              key={note}
              label={formatNumber(note)}
              aria-label={`Получено ${formatMoney(note)}`}
              size="compact-sm"
              variant="default"
              onClick={() => setReceived(note)}
            />
          ))}
        </HStack>
      )}
    </VStack>
  )
}

/** Another person who pays. */
export const PayerField = ({ take: { isOthers, idPayer, setPayer }, errorOf }: Props) =>
  isOthers ? (
    <RefSelect to={Customer.path} label="Кто платит" value={idPayer} error={errorOf('idPayer')} onChange={setPayer} />
  ) : null

/** Where the receipt is sent, if the desk prints receipts. */
export const ContactField = ({
  take: { contact, setContact },
  hasReceipt,
  errorOf,
}: Props & { hasReceipt: boolean }) =>
  hasReceipt ? (
    <TextInput
      label="Чек на телефон или почту"
      maxLength={255}
      value={contact}
      error={errorOf('contact')}
      onChange={(event) => setContact(event.currentTarget.value)}
    />
  ) : (
    <Fine>Чек не пробивается: регистратор чеков не подключён к этой кассе.</Fine>
  )

/** Rarer ways: split, certificate, another payer. */
export const MoreWays = ({ take: { parts, more, isOthers, setOthers, families, payByFamily } }: { take: Take }) => (
  <HStack wrap>
    {!isOthers &&
      families.map(({ id, family, limitMonth, spent }) =>
        family?.head && family.state === 'active' ? (
          <ActionButton
            key={id}
            label={`Семейный счёт: ${family.head.shortFio}`}
            title={
              limitMonth === null ? undefined : `В этом месяце ${formatMoney(spent)} из ${formatMoney(limitMonth)}`
            }
            variant="subtle"
            size="compact-sm"
            onClick={() => payByFamily(family.idHead)}
          />
        ) : null,
      )}
    {parts.parts.length < MOST_PARTS && (
      <ActionButton
        label="Ещё способ"
        variant="subtle"
        size="compact-sm"
        icon={IconPlus}
        title="Alt+0"
        onClick={more}
      />
    )}
    {!parts.parts.some(({ method }) => method === 'certificate') && (
      <ActionButton
        label="Сертификатом"
        variant="subtle"
        size="compact-sm"
        icon={IconGift}
        onClick={parts.addCertificate}
      />
    )}
    {!isOthers && (
      <ActionButton label="Платит другой человек" variant="subtle" size="compact-sm" onClick={() => setOthers(true)} />
    )}
  </HStack>
)
