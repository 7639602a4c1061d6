/** Stands first in main.tsx: what the page needs is under way while the rest of the script runs. */
import { opening } from './opening.ts'

opening.start()
