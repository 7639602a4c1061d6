import { Input, Select, Switch, TextInput } from '@mantine/core'
import {
  bases,
  MAX_RULES,
  MAX_TIERS,
  type PayRule,
  type PayTier,
  progressiveModes,
  type RuleType,
  ruleFieldLabels,
  ruleFields,
  ruleText,
  ruleTypes,
  salaryNorms,
} from '@ordinator/model/areas/payroll/rules'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { ActionButton } from '#kit/ActionButton.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { HStack, VStack } from '#kit/Stacks.tsx'
import { Fine } from '#kit/Words.tsx'
import { RefMultiSelect } from '#records/fields/RefSelect.tsx'
import type { InputProps } from '#records/fields/ui.ts'
import classes from './Payroll.module.css'

const options = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }))

/** Unique within the scheme and stable: lines refer to the rule by it. */
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(5))].map((byte) => byte.toString(36).padStart(2, '0')).join('')

/** Initial values of a new rule, by type. */
const begun: Partial<Record<RuleType, Partial<PayRule>>> = {
  salary: { norm: 'hours' },
  percent: { base: 'discounted' },
  referral: { base: 'discounted' },
  assistant: { base: 'discounted' },
  goods: { base: 'discounted' },
  progressive: { base: 'discounted', mode: 'excess', tiers: [{ from: 0, rate: 20 }] },
}

/** Rules of a scheme. */
export function RulesField({ value, onChange, readOnly, error, description }: InputProps) {
  const rules = (Array.isArray(value) ? value : []) as PayRule[]
  const put = (at: number, rule: PayRule) => onChange(rules.map((one, place) => (place === at ? rule : one)))
  return (
    <VStack gap={8}>
      {description && <Fine>{description}</Fine>}
      {rules.map((rule, at) => (
        <Rule
          key={rule.code}
          rule={rule}
          readOnly={readOnly === true}
          onChange={(next) => put(at, next)}
          onRemove={() => onChange(rules.filter((_, place) => place !== at))}
        />
      ))}
      {!readOnly && rules.length < MAX_RULES && (
        <ActionButton
          label="Добавить правило"
          icon={IconPlus}
          variant="default"
          w="fit-content"
          onClick={() => onChange([...rules, { code: newCode(), type: 'percent', ...begun.percent }])}
        />
      )}
      {error && <Input.Error>{error}</Input.Error>}
    </VStack>
  )
}

interface RuleProps {
  rule: PayRule
  readOnly: boolean
  onChange: (rule: PayRule) => void
  onRemove: () => void
}

function Rule({ rule, readOnly, onChange, onRemove }: RuleProps) {
  const { must, may } = ruleFields[rule.type]
  const set = (patch: Partial<PayRule>) => onChange({ ...rule, ...patch })
  if (readOnly)
    return (
      <div className={classes.rule}>
        <div className={classes.wide}>
          {rule.name || ruleTypes[rule.type]}
          <Fine component="p">{ruleText(rule)}</Fine>
        </div>
      </div>
    )
  return (
    <fieldset className={classes.rule} aria-label={rule.name || ruleTypes[rule.type]}>
      <div className={classes.ruleHead}>
        <Select
          aria-label="Вид правила"
          allowDeselect={false}
          w={280}
          data={options(ruleTypes)}
          value={rule.type}
          onChange={(type) =>
            onChange({ code: rule.code, type: type as RuleType, name: rule.name, ...begun[type as RuleType] })
          }
        />
        <IconButton icon={IconTrash} label={`Убрать правило «${ruleTypes[rule.type]}»`} onClick={onRemove} />
      </div>
      <TextInput
        label="Название в ведомости"
        placeholder={ruleTypes[rule.type]}
        maxLength={120}
        value={rule.name ?? ''}
        onChange={(event) => set({ name: event.currentTarget.value || undefined })}
      />
      {[...must, ...may].map((field) => {
        const label = ruleFieldLabels[field]
        const required = must.includes(field)
        switch (field) {
          case 'sum':
          case 'plan':
          case 'rate':
          case 'normOf':
          case 'nightFactor':
          case 'holidayFactor':
            return (
              <NumberField
                key={field}
                label={label}
                required={required}
                value={rule[field]}
                onChange={(next) => set({ [field]: next ?? undefined })}
              />
            )
          case 'base':
          case 'norm':
          case 'mode':
            return (
              <Select
                key={field}
                label={label}
                required={required}
                allowDeselect={!required}
                data={options(field === 'base' ? bases : field === 'norm' ? salaryNorms : progressiveModes)}
                value={rule[field] ?? null}
                onChange={(next) => set({ [field]: next ?? undefined })}
              />
            )
          case 'lessCosts':
          case 'ownRate':
            return (
              <Switch
                key={field}
                label={label}
                mt={26}
                checked={rule[field] ?? field === 'ownRate'}
                onChange={(event) => set({ [field]: event.currentTarget.checked })}
              />
            )
          case 'services':
          case 'groups':
            return (
              <RefMultiSelect
                key={field}
                label={label}
                description="Пусто — все"
                to={field === 'services' ? 'services' : 'services-groups'}
                value={rule[field] ?? []}
                onChange={(ids) => set({ [field]: ids.length ? ids : undefined })}
              />
            )
          case 'tiers':
            return <Tiers key={field} tiers={rule.tiers ?? []} onChange={(tiers) => set({ tiers })} />
        }
        return null
      })}
      <Fine className={classes.wide}>{ruleText(rule)}</Fine>
    </fieldset>
  )
}

function Tiers({ tiers, onChange }: { tiers: readonly PayTier[]; onChange: (tiers: PayTier[]) => void }) {
  const put = (at: number, patch: Partial<PayTier>) =>
    onChange(tiers.map((tier, place) => (place === at ? { ...tier, ...patch } : tier)))
  return (
    <VStack gap={6} className={classes.wide}>
      <Input.Label required>{ruleFieldLabels.tiers}</Input.Label>
      {tiers.map((tier, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tier is its place
        <HStack key={at} gap={8} align="end">
          <NumberField
            aria-label={`Ступень ${at + 1}: с суммы`}
            unit="₽"
            value={tier.from}
            onChange={(from) => put(at, { from: from as number })}
          />
          <NumberField
            aria-label={`Ступень ${at + 1}: процент`}
            unit="%"
            value={tier.rate}
            onChange={(rate) => put(at, { rate: rate as number })}
          />
          <IconButton
            icon={IconTrash}
            label={`Убрать ступень ${at + 1}`}
            onClick={() => onChange(tiers.filter((_, place) => place !== at))}
          />
        </HStack>
      ))}
      {tiers.length < MAX_TIERS && (
        <ActionButton
          label="Ступень"
          icon={IconPlus}
          variant="subtle"
          size="compact-sm"
          w="fit-content"
          onClick={() =>
            onChange([...tiers, { from: (tiers.at(-1)?.from ?? -100_000) + 100_000, rate: tiers.at(-1)?.rate ?? 20 }])
          }
        />
      )}
    </VStack>
  )
}
