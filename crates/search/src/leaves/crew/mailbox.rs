//! A place for one thing that one thread leaves for another, which waits for it in one of three
//! ways.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};

use super::Management;

/// The end where things are left. If it is dropped, the other end learns that nothing will come.
pub(super) enum Post<T> {
    Slot(Arc<Slot<T>>),
    Channel(mpsc::Sender<T>),
}

/// The end where things are taken.
pub(super) enum Inbox<T> {
    /// Sleeps until it is signalled.
    Asleep(Arc<Slot<T>>),
    /// Looks at the memory again and again.
    Awake(Arc<Slot<T>>),
    Channel(mpsc::Receiver<T>),
}

/// Both ends of a new mailbox.
pub(super) fn mailbox<T>(management: Management) -> (Post<T>, Inbox<T>) {
    if management == Management::Channel {
        let (sender, receiver) = mpsc::channel();
        return (Post::Channel(sender), Inbox::Channel(receiver));
    }
    let slot = Arc::new(Slot {
        contents: Mutex::new(Contents {
            thing: None,
            is_closed: false,
        }),
        changed: Condvar::new(),
        is_ready: AtomicBool::new(false),
    });
    let inbox = match management {
        Management::Spin => Inbox::Awake(Arc::clone(&slot)),
        _ => Inbox::Asleep(Arc::clone(&slot)),
    };
    (Post::Slot(slot), inbox)
}

/// Room for one thing.
pub(super) struct Slot<T> {
    contents: Mutex<Contents<T>>,
    changed: Condvar,
    /// Whether it is worth while to look at the contents.
    is_ready: AtomicBool,
}

struct Contents<T> {
    thing: Option<T>,
    /// Whether nothing will come any more.
    is_closed: bool,
}

impl<T> Post<T> {
    /// Leaves something. What was left before must have been taken.
    pub(super) fn put(&self, thing: T) {
        match self {
            Post::Slot(slot) => slot.change(|contents| contents.thing = Some(thing)),
            // The receiver is gone only after a panic, which the thread that waits for the answer
            // notices.
            Post::Channel(sender) => drop(sender.send(thing)),
        }
    }
}

impl<T> Drop for Post<T> {
    fn drop(&mut self) {
        if let Post::Slot(slot) = self {
            slot.change(|contents| contents.is_closed = true);
        }
    }
}

impl<T> Inbox<T> {
    /// Waits for something; `None` if nothing will come.
    pub(super) fn take(&self) -> Option<T> {
        match self {
            Inbox::Asleep(slot) => slot.sleep(),
            Inbox::Awake(slot) => slot.poll(),
            Inbox::Channel(receiver) => receiver.recv().ok(),
        }
    }
}

/// Polls before the thread yields. With more threads than processors, the thread that is waited for
/// may need the processor that is polling.
const LOOKS: u32 = 1 << 12;

impl<T> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, Contents<T>> {
        // Nothing can panic while it is locked.
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Contents<T>)) {
        let mut contents = self.lock();
        change(&mut contents);
        self.is_ready.store(true, Ordering::Release);
        drop(contents);
        self.changed.notify_one();
    }

    fn sleep(&self) -> Option<T> {
        let empty = |contents: &mut Contents<T>| contents.thing.is_none() && !contents.is_closed;
        let woken = self.changed.wait_while(self.lock(), empty);
        woken.unwrap_or_else(PoisonError::into_inner).thing.take()
    }

    fn poll(&self) -> Option<T> {
        loop {
            let mut looks = 0;
            while !self.is_ready.load(Ordering::Acquire) {
                looks += 1;
                if looks % LOOKS == 0 {
                    std::thread::yield_now();
                } else {
                    std::hint::spin_loop();
                }
            }
            let mut contents = self.lock();
            // It stays ready once it is closed.
            self.is_ready.store(contents.is_closed, Ordering::Relaxed);
            let thing = contents.thing.take();
            if thing.is_some() || contents.is_closed {
                return thing;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Management, mailbox};

    #[test]
    fn everything_that_is_left_is_taken_in_order_and_then_the_end() {
        for management in [Management::Signal, Management::Spin, Management::Channel] {
            let (post, inbox) = mailbox(management);
            let (reply, replies) = mailbox(management);
            std::thread::scope(|scope| {
                scope.spawn(move || {
                    while let Some(number) = inbox.take() {
                        reply.put(number);
                    }
                });
                for number in 0..1_000 {
                    post.put(number);
                    assert_eq!(replies.take(), Some(number), "{management:?}");
                }
                drop(post);
                assert_eq!(replies.take(), None, "{management:?}");
            });
        }
    }

    #[test]
    fn what_was_left_before_the_end_is_not_lost() {
        for management in [Management::Signal, Management::Spin, Management::Channel] {
            let (post, inbox) = mailbox(management);
            post.put(7);
            drop(post);
            assert_eq!((inbox.take(), inbox.take()), (Some(7), None));
        }
    }
}
