import { Badge } from '@mantine/core'
import { type ExpenseStatus, expenseStatuses } from '@ordinator/model/areas/expenses/states'

const colors: Record<ExpenseStatus, string> = {
  plan: 'gray',
  toApprove: 'yellow',
  approved: 'blue',
  paid: 'teal',
  rejected: 'red',
}

/** The state of an expense. */
export const ExpenseStatusBadge = ({ status }: { status: ExpenseStatus }) => (
  <Badge variant="light" color={colors[status]}>
    {expenseStatuses[status]}
  </Badge>
)
