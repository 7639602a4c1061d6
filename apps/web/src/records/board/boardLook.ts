/** How a person likes boards, as the device keeps it. */
export interface BoardLook {
  compact: boolean
}

export const readLook = (stored: unknown): BoardLook => ({
  compact: (stored as { compact?: unknown } | null)?.compact === true,
})
