import { SegmentedControl } from '@mantine/core'
import {
  type Discount,
  type DiscountKind,
  type DiscountUnit,
  hasValue,
  kindsByCode,
  mayBePerOrder,
  unitOf,
} from '@ordinator/model/areas/discounts/discount'
import type { Described } from '@ordinator/model/areas/discounts/words'
import type { Row } from '@ordinator/model/entity'
import { useFormContext, useWatch } from 'react-hook-form'
import { FormPart } from '#kit/FormPart.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { VStack } from '#kit/Stacks.tsx'
import { TimeField } from '#kit/TimeField.tsx'
import { type InputProps, inputFrame } from '#records/fields/ui.ts'
import { RecordField } from '#records/form/RecordField.tsx'
import { WhatPart, WhomPart } from './Parts.tsx'
import { Sentence } from './Sentence.tsx'
import { TiersField } from './TiersField.tsx'
import { useSentence } from './useSentence.ts'
import { WeekdaysField } from './WeekdaysField.tsx'

/** Help text of each kind. */
const kindHelp: Record<DiscountKind, string> = {
  percent: 'Процент от цены',
  amount: 'Сумма с каждой строки или со всего заказа',
  fixedPrice: 'Вместо цены прайс-листа — эта',
  accumulative: 'Процент растёт с тем, сколько клиент уже оплатил',
  promo: 'Действует, когда клиент назвал код',
  gift: 'Самая дешёвая из подходящих — в подарок',
  card: 'Действует по номеру карты клиента',
  certificate: 'Сумма или процент по коду сертификата',
  bonus: 'Какую часть счёта можно оплатить бонусами',
}

/** Form of a discount: the fields of its kind, and a summary sentence. */
export function DiscountForm({ discount }: { discount: Row<typeof Discount> | undefined }) {
  const form = useFormContext()
  const values = useWatch({ control: form.control }) as Described
  const { kind, unit = 'percent', filials } = values
  const isUsed = (discount?.uses ?? 0) > 0
  const one = kind && { kind, unit }
  return (
    <VStack gap={16} maw={960}>
      <Sentence text={useSentence(values)} empty="Выберите вид и размер: здесь будет сказано, что делает скидка" />
      <FormPart title="Основное">
        <RecordField name="name" autoFocus={!discount} />
        <RecordField name="kind" help={kind ? kindHelp[kind] : undefined} readOnly={isUsed} />
        {one && hasValue(one.kind) && (
          <RecordField
            name="value"
            label={one.kind === 'fixedPrice' ? 'Цена' : one.kind === 'bonus' ? 'Доля счёта' : 'Размер'}
            input={ValueField}
            readOnly={isUsed}
            help={isUsed ? 'Скидкой уже пользовались: размер меняют в новой версии' : undefined}
          />
        )}
        {kind === 'gift' && <RecordField name="giftEvery" readOnly={isUsed} />}
        {kind === 'accumulative' && (
          <div data-wide>
            <RecordField name="tiers" input={TiersField} readOnly={isUsed} />
          </div>
        )}
        {kind === 'accumulative' && <RecordField name="window" readOnly={isUsed} />}
        {one && mayBePerOrder(one) && <RecordField name="perOrder" readOnly={isUsed} />}
        <RecordField name="description" />
      </FormPart>
      <FormPart title="Когда и где">
        <RecordField name="dateFrom" />
        <RecordField name="dateTo" />
        <div data-wide>
          <RecordField name="weekdays" input={WeekdaysField} />
        </div>
        <RecordField name="timeFrom" input={ClockField} />
        <RecordField name="timeTo" input={ClockField} />
        <RecordField name="filials" help={filials?.length ? undefined : 'Пусто — во всех'} />
      </FormPart>
      <WhatPart title="На что" more={<RecordField name="doctors" />} />
      <WhomPart>
        <RecordField name="birthdayDays" />
        <RecordField name="companies" />
        <RecordField name="pensioner" />
        <RecordField name="staff" />
        <RecordField name="onlyFirstVisit" />
      </WhomPart>
      <FormPart title="Ограничения">
        <RecordField name="minSum" />
        <RecordField name="maxDiscount" readOnly={isUsed} />
        <RecordField name="totalUses" />
        <RecordField name="usesPerCustomer" />
        <RecordField name="priority" />
        <RecordField name="stackable" readOnly={isUsed} />
        <RecordField name="needApproval" />
      </FormPart>
    </VStack>
  )
}

/** Size with its unit, selectable if the kind allows. */
function ValueField(props: InputProps) {
  const { value, onChange, readOnly } = props
  const form = useFormContext()
  const [kind, chosen] = useWatch({ name: ['kind', 'unit'] }) as [DiscountKind, DiscountUnit]
  const unit = unitOf({ kind, unit: chosen })
  const mayChoose = kindsByCode.includes(kind) && !readOnly
  return (
    <NumberField
      {...inputFrame(props)}
      value={value as number | string | null}
      onChange={onChange}
      unit={mayChoose ? undefined : unit === 'percent' ? '%' : '₽'}
      rightSectionWidth={mayChoose ? 88 : undefined}
      rightSection={
        mayChoose && (
          <SegmentedControl
            size="xs"
            aria-label="Единица"
            data={[
              { value: 'percent', label: '%' },
              { value: 'rubles', label: '₽' },
            ]}
            value={chosen ?? 'percent'}
            onChange={(next) => form.setValue('unit', next, { shouldDirty: true })}
          />
        )
      }
    />
  )
}

const ClockField = (props: InputProps) => (
  <TimeField
    {...inputFrame(props)}
    untilMidnight={props.name === 'timeTo'}
    value={typeof props.value === 'string' ? props.value : ''}
    onChange={props.onChange}
  />
)
