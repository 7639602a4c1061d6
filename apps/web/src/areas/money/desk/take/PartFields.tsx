import { SegmentedControl, Select, Text } from '@mantine/core'
import { type PaymentMethod, paymentMethods } from '@ordinator/model/areas/money/methods'
import { formatMoney } from '@ordinator/model/format'
import { IconX } from '@tabler/icons-react'
import type { ErrorOf } from '#kit/ActionDialog.tsx'
import { IconButton } from '#kit/IconButton.tsx'
import { NumberField } from '#kit/NumberField.tsx'
import { Block, HStack, VStack } from '#kit/Stacks.tsx'
import { CertificateNumber } from '../../certificates/CertificateNumber.tsx'
import { type Part, type Take, usual } from './useTake.ts'

interface Props {
  take: Take
  /** The first sum has the focus. */
  isFirst: boolean
  errorOf: ErrorOf
}

/** Methods of the payment with their sums. */
export function PartFields({ take, isFirst, errorOf }: Props) {
  const { filled } = take
  return (
    <>
      {filled.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
        <PartField key={at} {...{ take, part, at, errorOf }} isFocused={at === 0 && isFirst} />
      ))}
      {filled.length === 1 && <Wrong message={errorOf('parts.0.method')} />}
      <Wrong message={errorOf('parts')} />
    </>
  )
}

interface PartProps {
  take: Take
  part: Part
  at: number
  isFocused: boolean
  errorOf: ErrorOf
}

function PartField({ take: { parts, methods, letters }, part, at, isFocused, errorOf }: PartProps) {
  const isSplit = parts.parts.length > 1
  const isCertificate = part.method === 'certificate'
  const set = (patch: Partial<Part>) => parts.set(at, patch)
  return (
    <VStack gap={8}>
      {!isSplit && !isCertificate && (
        <SegmentedControl
          fullWidth
          aria-label="Чем платят"
          data={usual.map((value, index) => ({
            value,
            label: value === 'transfer' ? 'Перевод' : paymentMethods[value],
            title: `Alt+${index + 1}`,
          }))}
          value={part.method}
          onChange={(value) => set({ method: value as PaymentMethod })}
        />
      )}
      {isCertificate && (
        <CertificateNumber
          label="Номер сертификата"
          value={part.certificate ?? ''}
          error={errorOf(`parts.${at}.certificate`)}
          onChange={(certificate) => set({ certificate })}
        />
      )}
      <HStack align="flex-start" gap={8}>
        {(isSplit || isCertificate) && (
          <Select
            aria-label={`Чем платят, часть ${at + 1}`}
            w={190}
            data={methods}
            value={part.method}
            error={errorOf(`parts.${at}.method`)}
            onChange={(value) => set({ method: value as PaymentMethod })}
          />
        )}
        <Block grow>
          <NumberField
            {...(isSplit || isCertificate ? { 'aria-label': `Сумма, часть ${at + 1}` } : { label: 'Сумма' })}
            digits={2}
            unit="₽"
            data-autofocus={isFocused || undefined}
            value={part.sum}
            error={errorOf(`parts.${at}.sum`)}
            onChange={(sum) => set({ sum })}
          />
        </Block>
        {isSplit && <IconButton icon={IconX} label={`Убрать часть ${at + 1}`} onClick={() => parts.remove(at)} />}
      </HStack>
      {part.method === 'insurer' && (
        <Select
          label="Гарантийное письмо"
          data={(letters.data?.items ?? []).map(({ id, number, insurer, limit, used }) => ({
            value: String(id),
            label: `${insurer?.shortName ?? 'Страховая'} № ${number}, осталось ${formatMoney((limit - used).toFixed(2))}`,
          }))}
          value={part.idGuarantee ? String(part.idGuarantee) : null}
          error={errorOf(`parts.${at}.idGuarantee`)}
          onChange={(value) => set({ idGuarantee: value ? Number(value) : undefined })}
        />
      )}
    </VStack>
  )
}

const Wrong = ({ message }: { message: string | undefined }) =>
  message ? (
    <Text c="var(--mantine-color-error)" size="sm" role="alert">
      {message}
    </Text>
  ) : null
