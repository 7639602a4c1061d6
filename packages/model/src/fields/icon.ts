import { iconLabels, isIconName } from '../icons.ts'
import { messages } from '../messages.ts'
import { equality, type FieldOptions, field, ok, wrong } from './field.ts'

/** The name of one of the product's icons. */
export function icon<const O extends FieldOptions & { default?: string }>(options: O) {
  const check = (value: unknown) => (isIconName(value) ? ok(value as string) : wrong(messages.choice))
  return field<string, O & { labels: typeof iconLabels }>(
    { ...options, labels: iconLabels },
    {
      kind: 'icon',
      column: 'text',
      operators: equality,
      sample: () => 'flask',
      check,
      parse: check,
      jsonSchema: { type: 'string', enum: Object.keys(iconLabels) },
    },
  )
}
