"""Rules for topic packs: each looks at one pack and says where it is wrong and how to mend it."""
