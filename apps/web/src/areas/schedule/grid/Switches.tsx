import { Select } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { GridColumn } from '#kit/dayGrid/grid.ts'
import { IconButton } from '#kit/IconButton.tsx'
import { HStack } from '#kit/Stacks.tsx'
import type { Day } from '../day.ts'

interface DoctorProps {
  doctors: Day['doctors']
  idUser: number | undefined
  onChange: (idUser: number) => void
}

/** The doctor whose week is shown. */
export const DoctorSelect = ({ doctors, idUser, onChange }: DoctorProps) => (
  <Select
    aria-label="Врач"
    searchable
    w={280}
    data={doctors.map((doctor) => ({
      value: String(doctor.idUser),
      label: [doctor.shortFio, doctor.speciality ?? doctor.post].filter(Boolean).join(', '),
    }))}
    value={idUser === undefined ? null : String(idUser)}
    onChange={(value) => onChange(Number(value))}
  />
)

interface ColumnProps {
  columns: GridColumn[]
  at: number
  onChange: (at: number) => void
}

/** The column shown on a phone. */
export const ColumnSwitch = ({ columns, at, onChange }: ColumnProps) => (
  <HStack gap={4}>
    <IconButton
      icon={IconChevronLeft}
      variant="default"
      size={32}
      label="Предыдущий столбец"
      disabled={at === 0}
      onClick={() => onChange(at - 1)}
    />
    <Select
      aria-label="Столбец"
      flex={1}
      data={columns.map(({ key, name }) => ({ value: key, label: name }))}
      value={columns[at]?.key ?? null}
      onChange={(value) => onChange(columns.findIndex(({ key }) => key === value))}
    />
    <IconButton
      icon={IconChevronRight}
      variant="default"
      size={32}
      label="Следующий столбец"
      disabled={at === columns.length - 1}
      onClick={() => onChange(at + 1)}
    />
  </HStack>
)
