/** Imported first in main.tsx: the page's calls are sent while the rest of the script runs. */
import { opening } from './opening.ts'

opening.start()
