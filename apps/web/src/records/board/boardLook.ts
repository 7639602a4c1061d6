/** Preferences for boards, stored on the device. */
export interface BoardLook {
  compact: boolean
}

export const readLook = (stored: unknown): BoardLook => ({
  compact: (stored as { compact?: unknown } | null)?.compact === true,
})
