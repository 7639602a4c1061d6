export default function FunnelsPage() { return null }
